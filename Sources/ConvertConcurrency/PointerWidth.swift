// All modules depend on this one. Lengths, ids and exponents are `Int`s, and some need more than 32 bits.
#if _pointerBitWidth(_32)
#error("Convert needs 64-bit integers: choose a 64-bit platform.")
#endif
