// uses: ATOMG.E.CAS.128 ATOMG.E.EXCH.128
// archs: 90
// Compare and swap, and exchange, of 16 bytes.
extern "C" __global__ void test(const unsigned* in, unsigned* out) {
  unsigned long long* const place = (unsigned long long*)out + threadIdx.x * 4;
  place[0] = in[threadIdx.x], place[1] = 5;
  unsigned long long low, high;
  asm volatile(
      "{.reg .b128 old, compare, value; mov.b128 compare, {%3, %4}; mov.b128 value, {%5, %6};"
      "atom.global.cas.b128 old, [%2], compare, value; atom.global.exch.b128 old, [%2], old; mov.b128 {%0, "
      "%1}, old;}"
      : "=l"(low), "=l"(high)
      : "l"(place), "l"((unsigned long long)(in[threadIdx.x] & ~1u)), "l"(5ull), "l"(7ull), "l"(9ull)
      : "memory");
  place[2] = low, place[3] = high;
}
