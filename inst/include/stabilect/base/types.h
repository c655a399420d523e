#ifndef STABILECT_TYPES_H
#define STABILECT_TYPES_H

#include <Eigen/Core>
#include <cstdint>
#include <utility>

#include "stabilect/base/array.h"

namespace stabilect {

using ConstMatrix = Eigen::Ref<const Eigen::MatrixXd>;
using ConstVector = Eigen::Ref<const Eigen::VectorXd>;

// Beyond, time and memory grow in proportion to the samples, by other ways than of fewer, whose
// results keep their bits.
constexpr Index kManySamples = 1000;

// Zeroed storage that starts on a cache line, for the kernels.
template <typename T> class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index size) { resize(size); }
  AlignedBuffer(const AlignedBuffer &) = delete;
  AlignedBuffer &operator=(const AlignedBuffer &) = delete;
  AlignedBuffer(AlignedBuffer &&other) noexcept { swap(other); }

  // Contents are zero afterwards.
  void resize(Index size) {
    constexpr Index line = 64, width = sizeof(T);
    storage_.assign(size + line / width, T(0));
    const Index at =
        Index(reinterpret_cast<std::uintptr_t>(storage_.data()) % std::uintptr_t(line));
    start_ = storage_.data() + (at == 0 ? 0 : (line - at) / width);
    size_ = size;
  }
  // Keeps the first `keep` values.
  void grow(Index size, Index keep) {
    AlignedBuffer larger(size);
    for (Index i = 0; i < keep; ++i)
      larger[i] = start_[i];
    swap(larger);
  }
  void swap(AlignedBuffer &other) {
    storage_.swap(other.storage_);
    std::swap(start_, other.start_);
    std::swap(size_, other.size_);
  }
  T *data() { return start_; }
  const T *data() const { return start_; }
  T &operator[](Index i) { return start_[i]; }
  const T &operator[](Index i) const { return start_[i]; }
  Index size() const { return size_; }

private:
  Array<T> storage_;
  T *start_ = nullptr;
  Index size_ = 0;
};

} // namespace stabilect

#endif
