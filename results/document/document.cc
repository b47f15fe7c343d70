#include "results/document/document.h"

namespace cubicbench::results {

// Not in the header: all that makes documents would compile them.

void Document::add(BlockContent content, Media media) {
  blocks.push_back({std::move(content), media});
}

void Document::add(const Document& other) {
  blocks.insert(blocks.end(), other.blocks.begin(), other.blocks.end());
}

}  // namespace cubicbench::results
