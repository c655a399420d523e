#ifndef STABILECT_ARRAY_H
#define STABILECT_ARRAY_H

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace stabilect {

// Counts and places are signed, as in Eigen: nothing is converted to subtract or compare.
using Index = std::ptrdiff_t;

// A std::vector that counts by Index. Only this class converts.
template <typename T> class Array : public std::vector<T> {
  using Base = std::vector<T>;
  using Place = typename Base::size_type;
  template <typename It>
  using IfIterator = typename std::enable_if<!std::is_arithmetic<It>::value>::type;

public:
  Array() = default;
  Array(Base values) : Base(std::move(values)) {}
  Array(std::initializer_list<T> values) : Base(values) {}
  explicit Array(Index size) : Base(Place(size)) {}
  Array(Index size, const T &value) : Base(Place(size), value) {}
  template <typename It, typename = IfIterator<It>> Array(It first, It last) : Base(first, last) {}

  // As in a std::vector, elements stay where they are while there is room.
  Array &operator=(std::initializer_list<T> values) {
    Base::operator=(values);
    return *this;
  }

  Index size() const { return Index(Base::size()); }
  typename Base::reference operator[](Index i) { return Base::operator[](Place(i)); }
  typename Base::const_reference operator[](Index i) const { return Base::operator[](Place(i)); }

  void resize(Index size) { Base::resize(Place(size)); }
  void resize(Index size, const T &value) { Base::resize(Place(size), value); }
  void reserve(Index size) { Base::reserve(Place(size)); }
  void assign(Index size, const T &value) { Base::assign(Place(size), value); }
  template <typename It, typename = IfIterator<It>> void assign(It first, It last) {
    Base::assign(first, last);
  }
};

} // namespace stabilect

#endif
