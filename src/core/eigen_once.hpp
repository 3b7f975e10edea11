// Eigen's kernels and decompositions of real matrices are the same in every file that uses them,
// and most of the time that a file took to compile. They are declared here and compiled once, in
// eigen_once.cpp. CMake puts this in front of the sources of an optimized build
// (cmake/unity.cmake); no file includes it, and all compile without it.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#ifndef LOOPCERT_EIGEN_ONCE
#define LOOPCERT_EIGEN_ONCE extern
#endif

namespace loopcert::eigen_once {

using Traits = Eigen::internal::gebp_traits<double, double>;  // tiles for this machine's vectors
using Index = Eigen::Index;
using Out = Eigen::internal::blas_data_mapper<double, Index, Eigen::ColMajor>;
using Columns = Eigen::internal::const_blas_data_mapper<double, Index, Eigen::ColMajor>;
using Rows = Eigen::internal::const_blas_data_mapper<double, Index, Eigen::RowMajor>;

}  // namespace loopcert::eigen_once

// clang-format off
#define LOOPCERT_TEMPLATE LOOPCERT_EIGEN_ONCE template

namespace Eigen {
namespace internal {

namespace once = loopcert::eigen_once;

// Products of matrices: packing of panels, and the kernel.
LOOPCERT_TEMPLATE struct gebp_kernel<double, double, Index, once::Out, once::Traits::mr, once::Traits::nr, false, false>;
LOOPCERT_TEMPLATE struct gemm_pack_lhs<double, Index, once::Columns, once::Traits::mr, once::Traits::LhsProgress, once::Traits::LhsPacket4Packing, ColMajor>;
LOOPCERT_TEMPLATE struct gemm_pack_lhs<double, Index, once::Rows, once::Traits::mr, once::Traits::LhsProgress, once::Traits::LhsPacket4Packing, RowMajor>;
LOOPCERT_TEMPLATE struct gemm_pack_rhs<double, Index, once::Columns, once::Traits::nr, ColMajor>;
LOOPCERT_TEMPLATE struct gemm_pack_rhs<double, Index, once::Rows, once::Traits::nr, RowMajor>;

// Of a matrix and a vector.
LOOPCERT_TEMPLATE struct general_matrix_vector_product<Index, double, once::Columns, ColMajor, false, double, once::Rows, false>;
LOOPCERT_TEMPLATE struct general_matrix_vector_product<Index, double, once::Columns, ColMajor, false, double, once::Columns, false>;
LOOPCERT_TEMPLATE struct general_matrix_vector_product<Index, double, once::Rows, RowMajor, false, double, once::Columns, false>;
LOOPCERT_TEMPLATE struct general_matrix_vector_product<Index, double, once::Rows, RowMajor, false, double, once::Rows, false, 1>;
LOOPCERT_TEMPLATE struct selfadjoint_matrix_vector_product<double, Index, ColMajor, Lower, false, false, 0>;

// With a triangular matrix, and solutions of one.
LOOPCERT_TEMPLATE struct product_triangular_matrix_matrix<double, Index, Lower, true, ColMajor, false, ColMajor, false, ColMajor, 1>;
LOOPCERT_TEMPLATE struct product_triangular_matrix_matrix<double, Index, Upper, true, RowMajor, false, ColMajor, false, ColMajor, 1>;
LOOPCERT_TEMPLATE struct product_triangular_matrix_matrix<double, Index, UnitLower, true, ColMajor, false, ColMajor, false, ColMajor, 1>;
LOOPCERT_TEMPLATE struct product_triangular_matrix_matrix<double, Index, UnitUpper, true, RowMajor, false, ColMajor, false, ColMajor, 1>;
LOOPCERT_TEMPLATE struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
LOOPCERT_TEMPLATE struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
LOOPCERT_TEMPLATE struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;
LOOPCERT_TEMPLATE struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
LOOPCERT_TEMPLATE struct triangular_solve_matrix<double, Index, OnTheRight, Upper, false, RowMajor, ColMajor, 1>;
LOOPCERT_TEMPLATE struct triangular_solve_matrix<double, Index, OnTheRight, Lower, false, ColMajor, ColMajor, 1>;

LOOPCERT_TEMPLATE void tridiagonalization_inplace(MatrixXd&, VectorXd&);
LOOPCERT_TEMPLATE ComputationInfo computeFromTridiagonal_impl(VectorXd&, VectorXd&, Index, bool, MatrixXd&);

}  // namespace internal

LOOPCERT_TEMPLATE SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const EigenBase<MatrixXd>&, int);
LOOPCERT_TEMPLATE LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
LOOPCERT_TEMPLATE LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
LOOPCERT_TEMPLATE void PartialPivLU<MatrixXd>::compute();
LOOPCERT_TEMPLATE void ColPivHouseholderQR<MatrixXd>::computeInPlace();

}  // namespace Eigen

#undef LOOPCERT_TEMPLATE
// clang-format on
