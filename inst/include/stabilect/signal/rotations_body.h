// The body of symmetric_eigen.h, compiled once per vector width; see simd.h.

// Turns columns k and k + 1 of sixteen rows by each rotation, in order. A rotation that begins
// where the previous one ended finds its column in the cache.
STABILECT_TARGET inline void rotate_rows(double *rows, const Rotation *first, Index n) {
  Double8 low, high;
  zero(low);
  zero(high);
  Index held = 0;
  for (Index r = 0; r < n; ++r) {
    const Rotation &turn = first[r];
    double *at = rows + turn.column * kRotatedRows;
    if (r == 0 || turn.column != held) {
      if (r > 0) {
        store(rows + held * kRotatedRows, low);
        store(rows + held * kRotatedRows + 8, high);
      }
      load(low, at);
      load(high, at + 8);
    }
    Double8 low_next, high_next, low_out, high_out;
    load(low_next, at + kRotatedRows);
    load(high_next, at + kRotatedRows + 8);
    zero(low_out);
    zero(high_out);
    add_scaled(low_out, low, turn.c);
    add_scaled(high_out, high, turn.c);
    add_scaled(low_out, low_next, -turn.s);
    add_scaled(high_out, high_next, -turn.s);
    store(at, low_out);
    store(at + 8, high_out);
    zero(low_out);
    zero(high_out);
    add_scaled(low_out, low_next, turn.c);
    add_scaled(high_out, high_next, turn.c);
    add_scaled(low_out, low, turn.s);
    add_scaled(high_out, high, turn.s);
    low = low_out;
    high = high_out;
    held = turn.column + 1;
  }
  if (n > 0) {
    store(rows + held * kRotatedRows, low);
    store(rows + held * kRotatedRows + 8, high);
  }
}
