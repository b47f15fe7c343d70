#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "search/backends/backend.h"
#include "search/journal/journal.h"

namespace cubicbench::search {

/// Stands before a backend whose launches cannot be repeated: hands out the outcomes that an
/// earlier run has recorded, in their order, and then starts what was running at that time and
/// passes everything on. Its clock must go on from the last recorded end.
class RecordedBackend final : public Backend {
 public:
  /// `journal` names the file in messages.
  RecordedBackend(std::unique_ptr<Backend> backend, std::vector<JournalLine> lines,
                  std::filesystem::path journal);

  /// What is recorded was run before; the backend behind it is asked for what comes then.
  bool runs_short_launches() const override { return backend_->runs_short_launches(); }
  void start(Launch launch) override;
  /// Throws InputError, `JOURNAL:LINE: ...`, when a record is of a launch that is not running.
  Finished wait() override;
  bool await(const std::function<bool()>& stopped) override {
    return next_ < lines_.size() || backend_->await(stopped);
  }
  void close() override { backend_->close(); }

 private:
  Finished recorded();

  std::unique_ptr<Backend> backend_;
  std::vector<JournalLine> lines_;
  std::filesystem::path journal_;
  std::size_t next_ = 0;             ///< of `lines_`
  std::vector<Launch> not_started_;  ///< in the order of `start`; empty once `lines_` is used up
};

}  // namespace cubicbench::search
