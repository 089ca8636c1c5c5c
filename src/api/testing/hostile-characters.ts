/** A character for each number. */
const points = (...codes: number[]): string[] => codes.map((code) => String.fromCodePoint(code));
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const spaces = points(
  ...[0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0xa0, 0x1680],
  ...[...range(0x2000, 0x200a), 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
);
const invisible = points(
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e],
  ...[...range(0x200b, 0x200f), ...range(0x2060, 0x2064), 0x3164, 0xfeff, 0xffa0, 0xfffc, 0xfffd, 0x1d173],
);
const bidi = points(...range(0x202a, 0x202e), ...range(0x2066, 0x2069));
const controls = points(...range(0x00, 0x1f), 0x7f, 0x80, 0x90, 0x9b, 0x9c, 0x9d, 0x9f);
const planes = range(0, 16).flatMap((plane) =>
  points(plane * 0x10000 + 0xfffe, plane * 0x10000 + 0xffff, plane * 0x10000 + 0x1234),
);
const halves = [
  "\ud83d",
  "\ude00",
  "\ude00\ud83d",
  "a\ud800",
  "\udfffa",
  "\ud83d\ud83d\ude00",
  "\udbff\udfff\udc00",
];
const stacked = ["e", "Z", "\u05d0", "\u0e01", "\u1100", "👍"].map(
  (base) => base + points(...range(0x300, 0x330)).join(""),
);
const emoji = [
  ...["👩‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "1️⃣", "#⃣", "👍🏿", "🇩🇪", "🇦", "🇩🇪🇫", "❤️", "❤︎", "🧑🏻‍🤝‍🧑🏿", "🫠"],
  `🏴${points(...range(0xe0061, 0xe0066)).join("")}`,
  "🙂".repeat(101),
  "👨‍👩‍👧".repeat(60),
];
const scripts = [
  ...["Ελληνικά", "Кириллица", "עִבְרִית", "العربية", "فارسی", "हिन्दी", "বাংলা", "தமிழ்", "ไทยภาษา", "မြန်မာ"],
  ...["ខ្មែរ", "한국어", "ひらがな", "カタカナ", "ｶﾀｶﾅ", "繁體中文", "ქართული", "Հայերեն", "አማርኛ", "ᐃᓄᒃᑎᑐᑦ"],
  ...["ᚱᚢᚾᛖ", "𐌰𐌱𐌲", "𓂀𓃰", "Tiếng Việt", "ǅungla", "ꙮ", "𝓈𝒸𝓇𝒾𝓅𝓉", "ｆｕｌｌ", "ᶜᵃᵖˢ", "ₛᵤᵦ"],
];
const folded = [
  ...["ß", "ẞ", "ŉ", "ǰ", "ΐ", "ﬃ", "ς", "Σ", "Å", "A\u030a", "\u212b", "\u2126", "ſt", "Ⅷ", "①", "㎏", "ﷺ"],
  ...[
    "admin\u0130strator",
    "аdmin",
    "adm\u0131n",
    "ⓐⓓⓜⓘⓝ",
    "ADMIN\u00ad",
    "ad\u200bmin",
    "ɑdmin",
    "admin\u0338",
  ],
];
/**
 * Texts that readers of Unicode have trouble with: white space, what is not seen or turns round what is, characters at the
 * ends of planes, halves of characters, stacked marks, emoji, scripts, and what changes its length with its case.
 */
export const hostileCharacters: readonly string[] = [
  ...[...spaces, ...spaces.map((space) => `a${space}b`), ...invisible.map((mark) => `a${mark}b`)],
  ...[...bidi.map((mark) => `abc${mark}def`), ...controls.map((mark) => `a${mark}b`), ...planes, ...halves],
  ...[...stacked, ...emoji, ...scripts, ...folded],
];
