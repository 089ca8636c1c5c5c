import { expect, test } from "bun:test";
import { crc32, deflateSync } from "node:zlib";
import { makePng, makeSvg } from "#api/testing/images.ts";
import { startProcessorTime } from "#api/testing/processor-time.ts";
import { imageTexts } from "#contract/site-images.ts";
import { readImage } from "./read-image.ts";

const bytesOf = (...parts: (string | number[] | Uint8Array)[]) =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    ),
  );
const text = (svg: string) => new TextEncoder().encode(svg);

const frame = [0xff, 0xc0, 0, 11, 8, 0, 40, 0, 90, 1, 1, 0x11, 0];
const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0, 3, 0xff, 0xd0, 4];
const jpeg = bytesOf([0xff, 0xd8], frame, scan, [0xff, 0xd9]);

const webp = (chunk: string, body: number[]) =>
  bytesOf("RIFF", [4 + 8 + body.length, 0, 0, 0], "WEBP", chunk, [body.length, 0, 0, 0], body);
const extended = webp("VP8X", [0, 0, 0, 0, 89, 0, 0, 39, 0, 0]);
const lossless = webp("VP8L", [0x2f, 89, 0xc0, 9, 0, 0]);

const pngWith = (name: string, at: number, body: Uint8Array) => {
  const png = makePng(90, 40);
  const chunk = Buffer.concat([Buffer.from(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.byteLength);
  sum.writeUInt32BE(crc32(chunk));
  return bytesOf(png.subarray(0, at), length, chunk, sum, png.subarray(at));
};

test("images are known by their content, with their size", () => {
  const size = { width: 90, height: 40 };
  expect(readImage(makePng(90, 40))).toEqual({ type: "png", ...size });
  expect(readImage(jpeg)).toEqual({ type: "jpg", ...size });
  expect(readImage(extended)).toEqual({ type: "webp", ...size });
  expect(readImage(lossless)).toEqual({ type: "webp", ...size });
  for (const svg of [
    makeSvg('width="90" height="40px"'),
    makeSvg('viewBox="0 0 90 40"'),
    '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 90 40"><svg:g xmlns:b="b" b:a="x>"/></svg:svg>',
    makeSvg("width='90' height=\"40\"", '<g id="a">&#x26;&amp;</g><style><![CDATA[a<b{}]]></style>'),
    `<?xml version="1.0"?><!-- Drawn --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">${makeSvg('viewBox="0,0,90,40"', '<use href="#a"/><style>a{fill:url(#b)}</style>')}\n<!-- -->`,
  ])
    expect(readImage(text(svg))).toEqual({ type: "svg", ...size });
});

test("what is no image, not whole, holds more or is too large is refused", () => {
  const png = makePng(90, 40);
  const damaged = png.slice();
  damaged[40] = (damaged[40] ?? 0) ^ 1;
  const cases: [what: string, bytes: Uint8Array, complaint: string][] = [
    ["a text", text("logo.png"), imageTexts.unknown],
    ["nothing", new Uint8Array(), imageTexts.unknown],
    ["a page", text("<!doctype html><svg></svg>"), imageTexts.unknown],
    ["a signature alone", png.slice(0, 8), imageTexts.broken],
    ["a PNG that was cut off", png.slice(0, -12), imageTexts.broken],
    ["a PNG with another bit", damaged, imageTexts.broken],
    ["a PNG of 30000 by 30000", makePng(30_000, 30_000, deflateSync(new Uint8Array(9))), imageTexts.tooLarge],
    ["a PNG with a zip behind it", bytesOf(png, "PK"), imageTexts.surplus],
    ["a PNG that begins otherwise", pngWith("tEXt", 8, new Uint8Array(4)), imageTexts.broken],
    ["a JPEG that was cut off", jpeg.slice(0, -2), imageTexts.broken],
    ["a JPEG without pixels", bytesOf([0xff, 0xd8], frame, [0xff, 0xd9]), imageTexts.broken],
    ["a JPEG with a script behind it", bytesOf(jpeg, "<script>"), imageTexts.surplus],
    ["a WebP that was cut off", extended.slice(0, -1), imageTexts.broken],
    ["a WebP with more behind it", bytesOf(extended, "x"), imageTexts.surplus],
    ["an SVG that was cut off", text(makeSvg('viewBox="0 0 9 4"').slice(0, -6)), imageTexts.broken],
    ...[
      "<g>",
      "<g></svg><svg>",
      '<g a="1" a="2"/>',
      "<g a=1/>",
      '<use xlink:href="#a"/>',
      "&nbsp;",
      "<!-- a -- b -->",
      "<![CDATA[",
      "\u0001",
    ].map((content): [string, Uint8Array, string] => [
      `an SVG with ${content}`,
      text(makeSvg('viewBox="0 0 9 4"', content)),
      content === "\u0001" ? imageTexts.unknown : imageTexts.broken,
    ]),
    ["two SVGs", text(makeSvg('viewBox="0 0 9 4"').repeat(2)), imageTexts.broken],
    ["an SVG of no namespace", text('<svg viewBox="0 0 9 4"/>'), imageTexts.svgNamespace],
    [
      "an SVG of another namespace",
      text('<svg:svg xmlns:svg="http://b.example" viewBox="0 0 9 4"/>'),
      imageTexts.svgNamespace,
    ],
    ["an SVG without a size", text(makeSvg("")), imageTexts.svgSize],
  ];
  for (const [what, bytes, complaint] of cases)
    expect([what, readImage(bytes)]).toEqual([what, { complaint }]);
});

test("an SVG that a browser would run or load something from is refused, and says for what", () => {
  const cases: [content: string, what: string][] = [
    ["<script>alert(1)</script>", "scripts"],
    ["<svg:SCRIPT href='#a'/>", "scripts"],
    ['<g onload="alert(1)"/>', "event handlers"],
    ["<g/onclick=alert(1) />", "event handlers"],
    ["<foreignObject><p/></foreignObject>", "foreign content"],
    ['<a xlink:href="javascript:alert(1)"/>', "scripts"],
    ['<image href="https://elsewhere.example/a.png"/>', "links to other files"],
    ['<use href="data:image/svg+xml;base64,AAAA"/>', "links to other files"],
    ["<style>@import 'a.css'</style>", "links to other files"],
    ['<rect style="fill:url(//elsewhere.example/a)"/>', "links to other files"],
    ["<?xml-stylesheet href='#a'?>", "processing instructions"],
  ];
  for (const [content, what] of cases)
    expect([content, readImage(text(makeSvg('viewBox="0 0 9 4"', content)))]).toEqual([
      content,
      { complaint: imageTexts.svgUnsafe(what) },
    ]);
  const entities = `<!DOCTYPE svg [<!ENTITY a "b">]>${makeSvg('viewBox="0 0 9 4"')}`;
  expect(readImage(text(entities))).toEqual({ complaint: imageTexts.svgUnsafe("entities") });
});

test("no SVG takes long to refuse", () => {
  const processorMs = startProcessorTime();
  const parts = [
    "<!-- -->",
    "<!--",
    "<!doctype",
    " ",
    "<svg ",
    "on",
    "</svg><!--",
    " a='",
    "<g>",
    '<g xmlns:a="">',
  ];
  for (const part of parts)
    for (const start of ["", "<svg>", "<svg>url("]) readImage(text(start + part.repeat(60_000)));
  expect(processorMs()).toBeLessThan(5_000);
});
