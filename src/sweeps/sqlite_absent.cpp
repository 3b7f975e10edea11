// In the place of sqlite.cpp where SQLite was not found or not wanted: no store can be opened, so
// nothing else is ever called.
#include "loopcert/core/error.hpp"
#include "sqlite.hpp"

namespace loopcert {
namespace {

[[noreturn]] void refuse(const std::string& place) {
  throw InputError(place +
                   "this build of loopcert has no SQLite, which keeps the results of sweeps");
}

}  // namespace

void Database::Close::operator()(sqlite3*) const {}
void SqlStatement::Finalize::operator()(sqlite3_stmt*) const {}

Database::Database(const std::filesystem::path& path) : path_(path) {
  refuse(path.string() + ": ");
}
void Database::check(int) const { refuse(""); }
void Database::execute(const std::string&) { refuse(""); }
bool Database::in_transaction() const { return false; }

SqlStatement::SqlStatement(Database& database, const std::string&) : database_(&database) {
  refuse("");
}
SqlStatement& SqlStatement::bind(int, std::string_view) { refuse(""); }
bool SqlStatement::step() { refuse(""); }
std::string SqlStatement::text(int) const { refuse(""); }
std::int64_t SqlStatement::integer(int) const { refuse(""); }

Transaction::Transaction(Database& database) : database_(database) { refuse(""); }
Transaction::~Transaction() = default;
void Transaction::commit() { refuse(""); }

}  // namespace loopcert
