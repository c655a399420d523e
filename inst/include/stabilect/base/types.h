#ifndef STABILECT_TYPES_H
#define STABILECT_TYPES_H

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stabilect {

using ConstMatrix = Eigen::Ref<const Eigen::MatrixXd>;
using ConstVector = Eigen::Ref<const Eigen::VectorXd>;
using Index = std::ptrdiff_t;

// Zeroed storage that starts on a cache line, for the kernels.
template <typename T> class AlignedBuffer {
public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size) { resize(size); }
  AlignedBuffer(const AlignedBuffer &) = delete;
  AlignedBuffer &operator=(const AlignedBuffer &) = delete;
  AlignedBuffer(AlignedBuffer &&other) noexcept { swap(other); }

  // Contents are zero afterwards.
  void resize(std::size_t size) {
    constexpr std::size_t line = 64;
    storage_.assign(size + line / sizeof(T), T(0));
    const std::size_t at = reinterpret_cast<std::uintptr_t>(storage_.data()) % line;
    start_ = storage_.data() + (at == 0 ? 0 : (line - at) / sizeof(T));
    size_ = size;
  }
  // Keeps the first `keep` values.
  void grow(std::size_t size, std::size_t keep) {
    AlignedBuffer larger(size);
    for (std::size_t i = 0; i < keep; ++i)
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
  T &operator[](std::size_t i) { return start_[i]; }
  const T &operator[](std::size_t i) const { return start_[i]; }
  std::size_t size() const { return size_; }

private:
  std::vector<T> storage_;
  T *start_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace stabilect

#endif
