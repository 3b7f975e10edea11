/* What a program and a plugin that computes on another device say to each other: plain C, so that
   the plugin may be built by another compiler. Matrices are in columns, one after the other,
   without gaps; a plugin keeps its own copies. Whoever makes an object frees it, devices last. */
#ifndef LOOPCERT_PLUGIN_API_H
#define LOOPCERT_PLUGIN_API_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LC_PLUGIN_VERSION 2 /* of this file: both sides must have the same */

enum lc_status {
  LC_OK = 0,
  LC_NO_DEVICE = 1,     /* no device that this plugin can use */
  LC_OUT_OF_MEMORY = 2, /* of the device's */
  LC_LOST = 3,          /* the device failed: nothing on it can be read any more */
  LC_NOT_DEFINITE = 4   /* a matrix that must be positive definite is not */
};

typedef struct lc_device lc_device;
typedef struct lc_vector lc_vector;
typedef struct lc_bound lc_bound;

typedef struct {
  char name[128];
  double memory_bytes, free_bytes;
} lc_device_info;

/* Which entries of a d_u x d_z matrix Z are free: column j from row first_row[j] on (rows: none),
   row i before column end_column[i]. */
typedef struct {
  long rows, cols;
  const long* first_row;
  const long* end_column;
} lc_pattern;

/* A bound of certificate/bound.hpp: diagonal posteriors, isotropic prior. */
typedef struct {
  lc_pattern pattern;
  const double *P, *N_0, *K_0;     /* the functional: rows x rows, rows x cols, cols x cols */
  const double *Sigma_hat, *U, *B; /* cols x cols; B may be null */
  const double* spread;            /* t, cols */
  const double* mean_hat;          /* z, cols; null without a mean event */
  const double* center;            /* of the prior, rows x cols */
  double prior_scale;
} lc_bound_inputs;

/* What a posterior's bound is made of, without the complexity that needs all of it. */
typedef struct {
  double empirical;  /* Lhat(Z) */
  double kl;         /* KL(rho || pi) */
  double C;          /* q(U, U) */
  double mean_term;  /* 2 q(U, B) */
  double spread;     /* sum_j t_j a_j */
  double mean_norm;  /* ||(a_j z_j)|| */
  double size;       /* sum_j v_j^2 Sigma_hat_jj */
  double moved_C;    /* by how many epsilon rounding moves q(U, U) */
  double moved_mean; /* and q(U, B) */
} lc_values;

/* d bound = dLhat + per_C dq(U, U) + per_mean dq(U, B) + per_kl dKL + d(t'a) + event d||a z||^2/2
 */
typedef struct {
  double per_C, per_mean, per_kl;
  double event; /* 2 r / ||(a_j z_j)||, 0 without a mean event */
} lc_factors;

/* The optimizer's coordinates (learning/scaling.hpp) around a posterior. */
typedef struct {
  double per_C, per_kl;
  double unit; /* of the bound */
  double c;    /* V = s^2 exp(2 eta / c) */
} lc_scaling;

/* Many small problems at once: one functional and prior, many data sets. */
enum lc_psi { LC_PSI_QUADRATIC = 0, LC_PSI_RANK_AWARE = 1, LC_PSI_CROSS = 2 };
typedef struct {
  lc_pattern pattern;
  const double *P, *N_0, *K_0;
  const double* R_inverse; /* upper, P = R R' */
  const double* center;
  double prior_scale;
  int with_B, with_mean, with_spread; /* of every data set */
  int psi;                            /* lc_psi */
  long rank;                          /* for the rank-aware one */
  double gradient_tolerance;
  long max_iterations;
} lc_many_setting;
typedef struct {
  double weight, log_term; /* rate = (KL + log_term) / weight */
  double scale;                  /* of psi */
  double lambda;                 /* fixed beforehand; 0: optimized */
  double mean_radius;
} lc_many_numbers;
typedef struct {
  const double *Sigma_hat, *U, *B; /* cols x cols */
  const double *spread, *mean_hat; /* cols */
  lc_many_numbers numbers;
} lc_many_data;

enum lc_many_status {
  LC_MANY_CONVERGED = 0,
  LC_MANY_ITERATION_LIMIT = 1,
  LC_MANY_STALLED = 2,
  LC_MANY_REFUSED = 3 /* for the processor, which says why */
};
typedef struct {
  double* mean;     /* of the free entries, column by column; the caller's memory */
  double* variance; /* the same */
  lc_values values;
  double gradient_norm;
  int iterations, evaluations, status; /* lc_many_status */
} lc_many_result;

/* Products in one direction at a time; sums in a fixed order: the same bits every time on the same
   device. All functions return lc_status. */
typedef struct {
  int version;

  /* `why` gets a sentence when there is none. */
  int (*open)(lc_device** device, char* why, size_t why_size);
  void (*close)(lc_device* device);
  int (*describe)(lc_device* device, lc_device_info* info);
  const char* (*message)(lc_device* device); /* of the last failure */
  /* C = A B, (m x k)(k x n), from and to the program's memory. */
  int (*multiply)(lc_device* device, long m, long n, long k, const double* A, const double* B,
                  double* C);
  /* Seconds of one product of two size x size matrices in the device's memory. */
  int (*product_seconds)(lc_device* device, long size, int repetitions, double* seconds);

  int (*vector_make)(lc_device* device, long size, lc_vector** x);
  void (*vector_free)(lc_vector* x);
  int (*vector_write)(lc_vector* x, const double* values);
  int (*vector_read)(const lc_vector* x, double* values);
  int (*dot)(const lc_vector* x, const lc_vector* y, double* result);
  int (*negate)(const lc_vector* x, lc_vector* d);
  int (*step)(const lc_vector* x, double t, const lc_vector* y, lc_vector* d);
  int (*differences)(const lc_vector* x, const lc_vector* y, lc_vector* d, const lc_vector* u,
                     const lc_vector* v, lc_vector* e, double* result);
  int (*add_and_dot)(double factor, double t, const lc_vector* x, lc_vector* d, const lc_vector* y,
                     double* result);

  int (*bound_make)(lc_device* device, const lc_bound_inputs* inputs, lc_bound** bound);
  void (*bound_free)(lc_bound* bound);
  /* The posterior, from the program or from coordinates (2p, free entries column by column: Y, then
     eta), and back. */
  int (*bound_set)(lc_bound* bound, const double* mean, const double* variance);
  int (*bound_set_coordinates)(lc_bound* bound, const lc_vector* x);
  int (*bound_read)(lc_bound* bound, double* mean, double* variance);
  /* At the posterior that was set. */
  int (*bound_values)(lc_bound* bound, lc_values* values);
  /* d/dZ and d/dV, after bound_values. */
  int (*bound_slopes)(lc_bound* bound, const lc_factors* factors);
  int (*bound_read_slopes)(lc_bound* bound, double* d_mean, double* d_variance);
  /* After bound_slopes: variances one damped step nearer to stationary, and d/dx. */
  int (*bound_refine)(lc_bound* bound, double per_kl);
  int (*bound_gradient)(lc_bound* bound, lc_vector* gradient);
  /* Coordinates around the posterior that was set, and its own. */
  int (*bound_scale)(lc_bound* bound, const lc_scaling* scaling);
  int (*bound_start)(lc_bound* bound, lc_vector* x);

  /* Whole optimizations, from the prior's centre. A result does not depend on the others. */
  int (*learn_many)(lc_device* device, const lc_many_setting* setting, long count,
                    const lc_many_data* data, lc_many_result* results);
} lc_plugin;

/* The one symbol that a plugin exports. */
typedef const lc_plugin* (*lc_plugin_entry)(void);
#define LC_PLUGIN_ENTRY "loopcert_plugin"

#ifdef __cplusplus
}
#endif

#endif
