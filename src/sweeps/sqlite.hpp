// The few calls of SQLite's C interface that the store needs, with owners for its handles. A build
// without SQLite has sqlite_absent.cpp instead: it refuses to open a store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace loopcert {

class Database;

// A prepared statement. Bind, then step until it returns false; that also makes it ready again.
class SqlStatement {
 public:
  SqlStatement(Database& database, const std::string& sql);
  SqlStatement& bind(int index, std::string_view text);
  bool step();  // true: there is a row
  std::string text(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

class Database {
 public:
  // Made when it is missing.
  explicit Database(const std::filesystem::path& path);

  void execute(const std::string& sql);
  bool in_transaction() const;
  // A file that is damaged or none of ours is bad input; what the disk refuses is an OutputError.
  void check(int code) const;
  sqlite3* handle() const { return handle_.get(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// Rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
};

}  // namespace loopcert
