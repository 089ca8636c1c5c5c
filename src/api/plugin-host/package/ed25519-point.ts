// The curve of RFC 8032, §5.1: -x² + y² = 1 + d·x²·y² over the integers modulo p.
const p = 2n ** 255n - 19n;
const d = mod(-121665n * power(121666n, p - 2n));

/**
 * Whether 32 bytes are a point that keys can be; `false` for the eight points of small order and for encodings that
 * another one stands for as well; `null` when they are no point of the curve.
 */
export const isPointOfLargeOrder = (encoded: Uint8Array): boolean | null => {
  const bits = BigInt(`0x${Buffer.from(encoded).reverse().toString("hex")}`);
  // The first bit is the sign of x, on which the order does not depend.
  const y = bits & (2n ** 255n - 1n);
  if (y >= p) return false;
  const x = xOf(y);
  if (x === null) return null;
  return !hasSmallOrder({ x, y });
};

type Point = { x: bigint; y: bigint };

/** One of the two `x` that belong to `y`, or `null`. */
const xOf = (y: bigint): bigint | null => {
  const square = mod((y * y - 1n) * power(mod(d * y * y + 1n), p - 2n));
  const root = power(square, (p + 3n) / 8n);
  if (mod(root * root) === square) return root;
  const other = mod(root * power(2n, (p - 1n) / 4n));
  return mod(other * other) === square ? other : null;
};

/** Eight times a point of small order is the neutral one, (0, 1). */
const hasSmallOrder = (point: Point): boolean => {
  const { x, y } = double(double(double(point)));
  return x === 0n && y === 1n;
};

const double = ({ x, y }: Point): Point => {
  const product = mod(d * x * x * y * y);
  return {
    x: mod(2n * x * y * power(mod(1n + product), p - 2n)),
    y: mod((y * y + x * x) * power(mod(1n - product), p - 2n)),
  };
};

// Declared as functions: the curve's constant above needs them.
function mod(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}
