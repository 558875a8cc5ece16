// Integer arithmetic, bits, video instructions, dot products, wide numbers.
#include <cuda_runtime.h>
#include <cstdint>
#define PUT(E) o[32 * k++] = (E);
#define P1(T) asm volatile(T " %0, %1;" : "=r"(d) : "r"(a)); s += d;
#define P2(T) asm volatile(T " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s += d;
#define P2I(T) asm volatile(T " %0, %1, 13;" : "=r"(d) : "r"(a)); s += d;
#define P3(T) asm volatile(T " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
#define BEGIN(NAME) extern "C" __global__ void NAME(uint32_t* x, uint32_t u, uint32_t v) { uint32_t a = x[threadIdx.x], b = x[threadIdx.x + 32], c = x[threadIdx.x + 64], d, s = u ^ v;
#define END x[threadIdx.x] = s; }
BEGIN(video_scalar)
#define VIDEO(OP) P3(OP ".s32.s32.s32") P3(OP ".u32.u32.u32")
#define V(OP) \
  asm volatile(OP ".s32.s32.s32 %0, %1.b1, %2.h1;" : "=r"(d) : "r"(a), "r"(b)); s += d; \
  asm volatile(OP ".s32.u32.s32.sat %0, %1.b3, %2;" : "=r"(d) : "r"(a), "r"(b)); s += d; \
  asm volatile(OP ".s32.s32.u32.add %0, %1.h0, %2.b0, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d; \
  asm volatile(OP ".u32.u32.u32.min %0, %1, %2.b2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d; \
  asm volatile(OP ".s32.s32.s32 %0.h1, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
V("vadd") V("vsub") V("vabsdiff") V("vmin") V("vmax")
asm volatile("vshl.u32.u32.u32.clamp %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s += d;
asm volatile("vshr.s32.s32.u32.wrap %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s += d;
asm volatile("vset.s32.u32.lt %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s += d;
asm volatile("vmad.s32.s32.s32 %0, %1.b0, %2.b1, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
asm volatile("vmad.u32.u32.u32.shr7 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
END
BEGIN(video_packed)
#define V24(OP) P3(OP "2.s32.s32.s32") P3(OP "2.u32.u32.u32.sat") P3(OP "4.s32.s32.s32") P3(OP "4.u32.u32.u32") P3(OP "4.u32.u32.u32.add")
V24("vadd") V24("vsub") V24("vavrg") V24("vabsdiff") V24("vmin") V24("vmax")
P3("vset2.s32.s32.lt") P3("vset4.u32.u32.ge") P3("vset4.u32.u32.ge.add")
END
extern "C" __global__ void simd_intrinsics(uint32_t* x) {
  const uint32_t a = x[threadIdx.x], b = x[threadIdx.x + 32];
  uint32_t* o = x + 64 + threadIdx.x;
  int k = 0;
  PUT(__vadd2(a, b)) PUT(__vadd4(a, b)) PUT(__vaddss2(a, b)) PUT(__vaddus4(a, b)) PUT(__vsub2(a, b)) PUT(__vsub4(a, b)) PUT(__vsubss4(a, b)) PUT(__vabs2(a)) PUT(__vabs4(a)) PUT(__vabsss2(a)) PUT(__vabsdiffs2(a, b)) PUT(__vabsdiffu4(a, b)) PUT(__vabsdiffs4(a, b))
  PUT(__vavgs2(a, b)) PUT(__vavgu4(a, b)) PUT(__vhaddu4(a, b)) PUT(__vcmpeq4(a, b)) PUT(__vcmpgts2(a, b)) PUT(__vcmpltu4(a, b)) PUT(__vcmples4(a, b)) PUT(__vmaxs2(a, b)) PUT(__vmaxu4(a, b)) PUT(__vmins4(a, b)) PUT(__vminu2(a, b)) PUT(__vneg2(a)) PUT(__vneg4(b)) PUT(__vnegss4(a)) PUT(__vsads2(a, b)) PUT(__vsads4(a, b)) PUT(__vsadu2(a, b)) PUT(__vsadu4(a, b)) PUT(__vseteq2(a, b)) PUT(__vsetgtu4(a, b)) PUT(__vsetles2(a, b))
  PUT(__viaddmax_s32(a, b, 7)) PUT(__viaddmin_u32(a, b, a)) PUT(__viaddmax_s16x2(a, b, a)) PUT(__viaddmax_s16x2_relu(a, b, a)) PUT(__viaddmin_s32_relu(a, b, a)) PUT(__viaddmin_u16x2(a, b, b)) PUT(__vimax3_s32(a, b, 5)) PUT(__vimin3_u32(a, b, a)) PUT(__vimax3_s16x2(a, b, a)) PUT(__vimin3_s16x2_relu(a, b, a)) PUT(__vimax_s32_relu(a, b)) PUT(__vimin_s16x2_relu(a, b)) PUT(__vimax3_u16x2(a, b, a)) PUT(__vimin3_s32_relu(a, b, b))
  bool p, q;
  PUT(__vibmax_s32(a, b, &p)) PUT(__vibmin_u32(a, b, &q)) PUT(p + q) PUT(__vibmax_s16x2(a, b, &p, &q)) PUT(p + 2 * q) PUT(__vibmin_u16x2(a, b, &p, &q)) PUT(p * q)
}
BEGIN(bits)
P1("popc.b32") P1("clz.b32") P1("bfind.u32") P1("bfind.s32") P1("bfind.shiftamt.u32") P1("bfind.shiftamt.s32") P1("brev.b32") P1("cnot.b32") P1("not.b32") P1("neg.s32") P1("abs.s32")
P2("fns.b32 %0, %1, 0, 3; or.b32") P2("bmsk.clamp.b32") P2("bmsk.wrap.b32") P2("szext.clamp.s32") P2("szext.wrap.u32") P2("szext.wrap.s32") P2I("szext.clamp.u32") P2I("bmsk.clamp.b32")
P3("bfe.u32") P3("bfe.s32") asm volatile("bfi.b32 %0, %1, %2, %3, 5;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
asm volatile("bfi.b32 %0, %1, %2, 7, 9;" : "=r"(d) : "r"(a), "r"(b)); s += d;
P3("prmt.b32") P3("prmt.b32.f4e") P3("prmt.b32.b4e") P3("prmt.b32.rc8") P3("prmt.b32.ecl") P3("prmt.b32.ecr") P3("prmt.b32.rc16")
P3("shf.l.clamp.b32") P3("shf.l.wrap.b32") P3("shf.r.clamp.b32") P3("shf.r.wrap.b32") P2("shl.b32") P2("shr.u32") P2("shr.s32") P2I("shl.b32") P2I("shr.s32") P2I("shr.u32")
P2("min.s32") P2("max.u32") P2I("min.u32") P2I("max.s32") P3("sad.s32") P3("sad.u32") P3("dp4a.s32.s32") P3("dp4a.u32.s32") P3("dp4a.s32.u32") P3("dp4a.u32.u32") P3("dp2a.lo.s32.s32") P3("dp2a.hi.s32.u32") P3("dp2a.lo.u32.u32") P3("dp2a.hi.u32.s32")
P3("lop3.b32 %0, %1, %2, %3, 0xe8; mad.lo.u32") P3("mad.lo.s32") P3("mad.hi.s32") P3("mad.hi.u32") P2("mul.hi.u32") P2("mul.hi.s32") P2("mul24.lo.s32") P2("mul24.hi.u32") P3("mad24.lo.u32") P3("mad24.hi.s32") P2("add.sat.s32") P2("sub.sat.s32") P3("mad.hi.sat.s32") P2("div.s32") P2("div.u32") P2("rem.s32") P2("rem.u32") P2I("div.s32") P2I("rem.u32") P2I("mul.lo.s32") P2I("mul.hi.u32")
asm volatile("{.reg .pred p, q; lop3.or.b32 %0|p, %1, %2, %3, 0x3f, q; @p add.u32 %0, %0, 1; setp.lt.u32 q, %1, %2;}" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
asm volatile("{.reg .pred p; lop3.and.b32 _|p, %1, %2, %3, 0x80, 1; selp.u32 %0, 3, 4, p;}" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
asm volatile("set.lt.u32.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); s += d;
asm volatile("slct.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); s += d;
END
#define PL2(T) asm volatile(T " %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b)); s += d;
#define PL1(T) asm volatile(T " %0, %1;" : "=l"(d) : "l"(a)); s += d;
extern "C" __global__ void wide(uint64_t* x, uint64_t u, int64_t v) {
  uint64_t a = x[threadIdx.x], b = x[threadIdx.x + 32], s = u ^ v, d;
  uint32_t w, z;
  PL2("add.u64") PL2("sub.s64") PL2("mul.lo.u64") PL2("mul.hi.u64") PL2("mul.hi.s64") PL2("div.u64") PL2("div.s64") PL2("rem.u64") PL2("rem.s64") PL2("min.s64") PL2("max.u64") PL2("and.b64") PL2("xor.b64") PL1("not.b64") PL1("neg.s64") PL1("abs.s64") PL1("brev.b64") PL1("cnot.b64")
  asm volatile("popc.b64 %0, %2; clz.b64 %1, %2;" : "=r"(w), "=r"(z) : "l"(a)); s += w * z;
  asm volatile("bfind.u64 %0, %2; bfind.shiftamt.s64 %1, %2;" : "=r"(w), "=r"(z) : "l"(a)); s += w * z;
  asm volatile("shl.b64 %0, %1, %2;" : "=l"(d) : "l"(a), "r"(w)); s += d;
  asm volatile("shr.s64 %0, %1, %2;" : "=l"(d) : "l"(a), "r"(w)); s += d;
  asm volatile("shr.u64 %0, %1, 37;" : "=l"(d) : "l"(a)); s += d;
  asm volatile("bfe.u64 %0, %1, %2, 9;" : "=l"(d) : "l"(a), "r"(w)); s += d;
  asm volatile("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(d) : "l"(a), "l"(b), "r"(w), "r"(z)); s += d;
  asm volatile("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(w), "r"(z), "l"(a)); s += d;
  asm volatile("mad.wide.s32 %0, %1, 77, %2;" : "=l"(d) : "r"(w), "l"(a)); s += d;
  asm volatile("mul.wide.s32 %0, %1, %2;" : "=l"(d) : "r"(w), "r"(z)); s += d;
  asm volatile("{add.cc.u64 %0, %1, %2; addc.u64 %0, %0, %1;}" : "=&l"(d) : "l"(a), "l"(b)); s += d;
  asm volatile("{sub.cc.u32 %0, %1, %2; subc.cc.u32 %1, %1, %0; subc.u32 %0, %1, %2; mad.lo.cc.u32 %0, %1, %2, %0; madc.hi.u32 %1, %0, %2, %1; madc.lo.cc.u32 %0, %0, %0, %1; addc.u32 %0, %0, 0;}" : "+r"(w), "+r"(z) : "r"((uint32_t)a)); s += w + z;
  if ((int64_t)a < v) s += 3;
  if (a >= u) s ^= b;
  if (a == b || a > 0x123456789abull) s += a << (b & 63);
  x[threadIdx.x] = s + (a * 1000003u) / 10 + a % 1000;
}
extern "C" __global__ void very_wide(unsigned __int128* x, __int128* y, int n) {
  unsigned __int128 a = x[threadIdx.x], b = x[threadIdx.x + 32];
  __int128 c = y[threadIdx.x], d = y[threadIdx.x + 32];
  x[threadIdx.x + 64] = a + b, x[threadIdx.x + 96] = a * b, x[threadIdx.x + 128] = a / b, x[threadIdx.x + 160] = a % b, x[threadIdx.x + 192] = a << n, x[threadIdx.x + 224] = a - b;
  y[threadIdx.x + 64] = c / d, y[threadIdx.x + 96] = c >> n, y[threadIdx.x + 128] = c < d ? c : -d, y[threadIdx.x + 160] = c % 10;
}
extern "C" __global__ void small_types(signed char* a, unsigned short* b, short* c, unsigned char* d, int n) {
  const int t = threadIdx.x;
  signed char s = a[t] * a[t + 1] + a[t + 2];
  unsigned short u = b[t] / (b[t + 1] | 1) + b[t] % 7;
  short w = c[t] >> (n & 15);
  unsigned char v = d[t] > d[t + 1] ? d[t] - d[t + 2] : d[t] * 3;
  a[t + 64] = s < 0 ? -s : s, b[t + 64] = u, c[t + 64] = w * c[t + 9], d[t + 64] = v ^ (v >> 3);
}
extern "C" __global__ void uniform_integers(int* p, const int a, const int b, const long long l, unsigned n) {
  int s = 0;
  for (int i = a; i < b; i += 3) {
    const int q = (i * a + b) ^ (i >> 3), r = i < b / 2 ? q & 0xff : q | 5;
    s += p[q + blockIdx.x] + min(r, a) + max(q, 9) + __popc(i) + __clz(i ^ b) + __brev(i) + (int)(l >> (i & 31)) + __byte_perm(q, r, 0x5140) + (i % 5) + (int)(n / 7u) + abs(i - b) + __ffs(i);
    if (q > r && blockIdx.y != 3) s += p[r * 2ll + l];
    if ((i & a) == 0) s ^= __funnelshift_l(q, i, a) + (int)((l * i) >> 32) + (int)__umulhi(n, i);
  }
  p[threadIdx.x] = s;
}
