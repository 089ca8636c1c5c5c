/** A color of the site in one theme, and the color of text on it: both as `#rrggbb`. */
export type Accent = { color: string; text: string };

type Theme = "light" | "dark";
/** Lightness 0 to 1, and the two axes of color. */
type Lab = readonly [l: number, a: number, b: number];
/** Red, green and blue in linear light; what a screen can show is from 0 to 1. */
type Light = readonly [number, number, number];

/** The least contrast of text. Source: WCAG 2.2, success criterion 1.4.3. */
export const leastContrast = 4.5;

/** `--background` of src/ui/styles/tokens.css. */
export const pageGrounds = { light: "#fcfbf9", dark: "#11100e" } as const satisfies Record<Theme, string>;

// The grounds that text of the accent's color is on, the other one being `--muted`, and how light text on the accent is, with
// how much of the accent's own hue.
const themes = {
  light: { grounds: [pageGrounds.light, "#f4f2ef"], textLightness: 0.99, textChroma: 0.01, step: -0.005 },
  dark: { grounds: [pageGrounds.dark, "#23211f"], textLightness: 0.19, textChroma: 0.03, step: 0.005 },
} as const satisfies Record<Theme, object>;

/**
 * What an accent color (`#rrggbb`) becomes in a theme: its hue stays, and it gets darker in the light theme, lighter in the
 * dark one, until it can be read as text on the page and under its own text. There is one for every color.
 */
export const accentFor = (hex: string, theme: Theme): Accent => {
  const { grounds, textLightness, textChroma, step } = themes[theme];
  const [lightness, a, b] = toLab(lightOf(hex));
  const chroma = Math.hypot(a, b);
  // What is gray has no hue to share with its text.
  const tint = chroma < 0.02 ? 0 : textChroma / chroma;
  const text = hexOf(fromLab([textLightness, a * tint, b * tint]));
  let accent: Accent = { color: hex.toLowerCase(), text };
  const isReadable = () =>
    [...grounds, text].every((ground) => contrast(accent.color, ground) >= leastContrast);
  for (let l = lightness + step; l > 0 && l < 1 && !isReadable(); l += step)
    accent = { color: hexOf(shown([l, a, b])), text };
  return accent;
};

/** The contrast of two colors, 1 to 21. Source: WCAG 2.2, "contrast ratio". */
export const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const luminance = (hex: string): number => {
  const [red, green, blue] = lightOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The color with so much of its chroma that a screen can show it. */
const shown = ([l, a, b]: Lab): Light => {
  let [least, most] = [0, 1];
  if (isShowable(fromLab([l, a, b]))) return fromLab([l, a, b]);
  for (let round = 0; round < 10; round += 1) {
    const part = (least + most) / 2;
    if (isShowable(fromLab([l, a * part, b * part]))) least = part;
    else most = part;
  }
  return fromLab([l, a * least, b * least]);
};

const isShowable = (light: Light): boolean => light.every((channel) => channel > -0.001 && channel < 1.001);

const lightOf = (hex: string): Light => {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
};

const hexOf = (light: Light): string =>
  `#${light
    .map((channel) => Math.min(1, Math.max(0, channel)))
    .map((value) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055))
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

// Oklab. Source: Björn Ottosson, "A perceptual color space for image processing".
const toLab = ([red, green, blue]: Light): Lab => {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
};

const fromLab = ([l, a, b]: Lab): Light => {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
};
