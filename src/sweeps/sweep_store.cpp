#include "sweeps/sweep_store.hpp"

#include "core/sha256.hpp"
#include "loopcert/core/error.hpp"
#include "sqlite.hpp"

namespace loopcert {
namespace {

// "lcsw": tells our files from other SQLite files.
constexpr int application_id = 0x6c637377;

int pragma_number(Database& database, const std::string& name) {
  SqlStatement statement(database, "PRAGMA " + name);
  return statement.step() ? static_cast<int>(statement.integer(0)) : 0;
}

void create_tables(Database& database) {
  Transaction transaction(database);
  database.execute("PRAGMA application_id = " + std::to_string(application_id));
  database.execute(
      "CREATE TABLE IF NOT EXISTS results("
      "key TEXT PRIMARY KEY, job TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID");
  transaction.commit();
}

void check_file(Database& database) {
  const std::string place = database.path().string();
  if (pragma_number(database, "application_id") != application_id)
    throw InputError(place + ": another kind of SQLite file, not a store of sweep results");
  SqlStatement check(database, "PRAGMA quick_check(1)");
  check.step();  // always a row
  if (check.text(0) != "ok") throw InputError(place + ": the file is damaged");
}

}  // namespace

struct SweepStore::Connection {
  Database database;

  explicit Connection(const std::filesystem::path& path) : database(path) {
    // Looks before it writes: a file of another kind stays as it is.
    const bool is_new = pragma_number(database, "schema_version") == 0;
    if (!is_new) check_file(database);
    database.execute("PRAGMA journal_mode = WAL");
    database.execute("PRAGMA synchronous = FULL");
    if (is_new) create_tables(database);
  }
};

SweepStore::SweepStore(const std::filesystem::path& path)
    : connection_(std::make_unique<Connection>(path)) {}

SweepStore::~SweepStore() = default;

Index SweepStore::count() const {
  SqlStatement statement(connection_->database, "SELECT count(*) FROM results");
  statement.step();  // always a row
  return static_cast<Index>(statement.integer(0));
}

std::set<std::string> SweepStore::keys() const {
  std::set<std::string> keys;
  SqlStatement statement(connection_->database, "SELECT key FROM results");
  while (statement.step()) keys.insert(statement.text(0));
  return keys;
}

std::optional<std::string> SweepStore::record(const std::string& key) const {
  SqlStatement statement(connection_->database, "SELECT record FROM results WHERE key = ?1");
  statement.bind(1, key);
  if (!statement.step()) return std::nullopt;
  return statement.text(0);
}

void SweepStore::for_each(const std::function<void(StoredResult)>& visit) const {
  SqlStatement statement(connection_->database, "SELECT key, job, record FROM results");
  while (statement.step()) {
    StoredResult result{statement.text(0), statement.text(1), statement.text(2)};
    if (sha256_hex(result.job) != result.key)
      throw InputError(connection_->database.path().string() +
                       ": the file is damaged: a key does not fit its job");
    visit(std::move(result));
  }
}

void SweepStore::add(const std::vector<StoredResult>& results) {
  if (results.empty()) return;
  Transaction transaction(connection_->database);
  SqlStatement insert(connection_->database, "INSERT OR IGNORE INTO results VALUES(?1, ?2, ?3)");
  for (const StoredResult& result : results)
    insert.bind(1, result.key).bind(2, result.job).bind(3, result.record).step();
  transaction.commit();
}

}  // namespace loopcert
