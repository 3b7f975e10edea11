#include "sqlite.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr int longest_text = 64 << 20;
constexpr int wait_ms = 20'000;  // for another reader that repairs the file after a crash

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

void SqlStatement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Database::Database(const std::filesystem::path& path) : path_(path) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  check(code);
  sqlite3_busy_timeout(handle, wait_ms);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_text);
  // The file may come from a stranger: its schema may not call functions or write where it wants.
  check(sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr));
  check(sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr));
  check(sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr));
  check(sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr));
}

void Database::check(int code) const {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  // It quotes names from the file.
  const std::string reason =
      one_line(handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code));
  switch (code & 0xff) {
    case SQLITE_READONLY:  // the disk's word, or the file's own: its header can forbid writing
      if (::access(path_.c_str(), W_OK) == 0 &&
          sqlite3_extended_errcode(handle_.get()) != SQLITE_READONLY_DIRECTORY)
        throw InputError(path_.string() +
                         ": the file itself forbids writing: not a store of sweep results");
      [[fallthrough]];
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:  // a disk on which nothing can be locked
      throw OutputError(path_.string() + ": could not be written: " + reason);
    case SQLITE_NOMEM:  // also where a damaged schema asks for nonsense
      throw InputError(path_.string() + ": out of memory, or the file is damaged");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw InputError(path_.string() + ": another program is using this file");
    default:
      throw InputError(path_.string() + ": not a store of sweep results, or damaged: " + reason);
  }
}

void Database::execute(const std::string& sql) {
  check(sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

SqlStatement::SqlStatement(Database& database, const std::string& sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  const int size = static_cast<int>(sql.size());
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), size, &handle, nullptr);
  handle_.reset(handle);
  database.check(code);
}

SqlStatement& SqlStatement::bind(int index, std::string_view text) {
  database_->check(sqlite3_bind_text64(handle_.get(), index, text.data(), text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

bool SqlStatement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(handle_.get());
  database_->check(code);
  return false;
}

std::string SqlStatement::text(int column) const {
  const void* bytes = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return bytes ? std::string(static_cast<const char*>(bytes), static_cast<size_t>(size)) : "";
}

std::int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

void Transaction::commit() { database_.execute("COMMIT"); }

Transaction::~Transaction() {
  // Some failures have rolled back by themselves; what failed was reported where it happened.
  if (database_.in_transaction())
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace loopcert
