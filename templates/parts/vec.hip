
// Elements that move in one instruction.
#ifdef __clang__
template <class T, int n> using vec = T __attribute__((ext_vector_type(n)));
#else
template <class T, int n> struct alignas(n * sizeof(T)) vec {
  T e[n];
  __device__ T &operator[](int i) { return e[i]; }
};
#endif

