import type { Pattern } from "../engine-types.ts";
import { matching, requiredTexts } from "../matching.ts";

const shared = {
  category: "cross-site-scripting",
  paranoia: 1,
  severity: "critical",
  view: "markup",
} as const;

const comment = "(?:\\s|/\\*[^*]{0,32}\\*/){0,8}";
const provers =
  "(?:alert|confirm|prompt|eval|settimeout|setinterval|setimmediate|execscript|importscripts|msgbox)";
const provingCall = new RegExp(
  [
    // Without a blank it is a call whatever stands inside, but for the endings of "alert(s)" and "prompt(ly)".
    `(?:^|[^\\w-]|["'\`\\])}\\d]\\s?-)${provers}(?:${comment}\\?\\.${comment})?(?:\\((?!(?:s|ed|ly|ing|er)?\\))[!-~]|\\.(?:call|apply|bind)\\b|\`)`,
    `(?:^|[^\\w-])${provers}${comment}(?:\\?\\.)?${comment}(?:\`|\\((?:["'\`]|\\d{1,16}\\)|[\\[(/!+-]|[a-z_$][\\w$]{0,32}[.(\\[=+\`]))`,
    // An empty call in the middle of a sentence is talk of it.
    `(?:^|[^\\w\\s-])\\s{0,4}${provers}\\(\\)|(?:^|[^\\w-])${provers}\\(\\)\\s{0,4}(?:$|[^\\w\\s.,:!?])`,
    `(?:^|[^\\w-])${provers}\\s{0,4}["'\\])]\\s{0,4}\\]?\\s{0,4}\\(`,
  ].join("|"),
);
// In prose no blank stands before a full stop.
const pageAccess =
  /(?:^|[^\w/-])(?:document(?:\?\.|\.|\s{1,4}\.\s{0,4}|\s{0,4}\/\*[^*]{0,32}\*\/\s{0,4}\.\s{0,8})(?:cookie|domain|location|write(?:ln)?|body|documentelement|createelement|forms|referrer|url|getelement\w{1,20}|queryselector\w{0,4}|title|head|all|scripts|images|links|defaultview|implementation|execcommand|open|baseuri|childnodes)\b|document\s{0,4}\[\s{0,4}["'`]|window(?:\?\.|\.|\s{1,4}\.\s{0,4})(?:location|name|open|opener|onerror|onload|atob|document|top|parent|frames|history|localstorage|eval|alert|setinterval|settimeout|navigate|fetch)\b|(?:window|self|top|parent|globalthis|frames|this|document)\s{0,4}(?:\/\*[^*]{0,32}\*\/\s?)?\)?\s?(?:\/\*[^*]{0,32}\*\/\s?)?\[\s{0,4}(?:\/\*[^*]{0,32}\*\/\s?)?\s{0,4}(?:["'`/+(]|[a-z]\w{0,16}\s?[\]+])|(?:self|top|parent|globalthis|frames)(?:\.|\s{1,4}\.\s{0,4})(?:location|document|alert|eval|window|frames|name|opener)\b|location(?:\.|\s{1,4}\.\s{0,4})(?:hash|search|href\s{0,4}=|replace\s?\(|assign\s?\(|host|protocol)|location\s{0,4}=\s{0,4}["'`](?:javascript|https?:|\/\/|data:)|(?:local|session)storage(?:\.|\s{0,4}\[)\s{0,4}\w|navigator(?:\.|\s{1,4}\.\s{0,4})(?:sendbeacon|useragent|clipboard|geolocation|serviceworker|credentials|mediadevices)|opener\s?\.\s?\w)/g;
/** What code does with a property: it assigns, calls, adds or hands it on. */
const usedBehind = /^[\w$]{0,32}(?:\??\.[\w$]{1,32}){0,4}(?:[([`]|\?\.|\s{0,4}(?:=(?!=)|\+))/;
const usedBefore = /(?:[=+{!?&|;]|[\w$]\(|["'`]\s?[-+,*/;|&])\s?$/;

/** "the window.location.href of a page" only names a property; cookies are named in sentences, not alone. */
function findPageAccess(text: string): string | null {
  for (const { 0: found, index } of text.matchAll(pageAccess)) {
    const before = text.slice(Math.max(0, index - 4), /^\w/.test(found) ? index : index + 1);
    const after = text.slice(index + found.length, index + found.length + 160);
    if (
      found.trim() === text.trim() ||
      /\W$/.test(found) ||
      usedBehind.test(after) ||
      usedBefore.test(before)
    )
      return found;
    const isSaid = /[a-z,]\s$/.test(before) || /^\s[a-z]/.test(after);
    if (!isSaid && /\.\s{0,8}(?:cookie|domain)$/.test(found)) return found;
  }
  return null;
}

const madeFunction =
  /\.\s?constructor\s{0,4}(?:\.\s?constructor|\(|\[|`)|\[\s?["'`]constructor["'`]\s?\]|constructor\s?\.\s?constructor|(?:^|[^\w.])(?:new\s{1,4}function\s{0,4}(?:\(|`)|function\s{0,4}(?:\(\s?["'`]|`))|string\s{0,4}\.\s{0,4}from(?:charcode|codepoint)|(?:^|[^\w])(?:atob|btoa|unescape|(?:de|en)codeuri(?:component)?)(?:\(|\s{0,4}`)|reflect\s?\.\s?(?:apply|construct|get|set)\s?\(|\d{2,12}\s?\)?\s?\.{1,2}\s?tostring\s?\(\s?(?:3[0-6]|2\d)|\(\s?function\s?\w{0,16}\s?\([^)]{0,64}\)\s?\{|\(\s?\(?[\w$,\s]{0,32}\)?\s?=>\s?\{?[^)]{0,64}\}?\s?\)\s?\(|__(?:define|lookup)[gs]etter__/;

/** Truth and numbers written without letters. */
const bareTruth =
  /!\s?[!+]\s?\[\s?\]|\+\s?!\s?\[\s?\]|\[\s?\]\s?\[\s?\(?\s?!?\s?\[\s?\]|\(\s?\{\s?\}\s?\+\s?\[\s?\]\s?\)/;

const bracketRun = /[[\]()!+{}]{14,}/g;

/** Scripts written with brackets, `!` and `+` only: they begin with `[]`, `![]` and `+[]` again and again. */
function findBrackets(text: string): string | null {
  for (const [run] of text.matchAll(bracketRun)) {
    const pieces = run.slice(0, 512).match(/!\[\]|\+\[|\(\[|\[\]\)|!!\[/g);
    if (pieces !== null && pieces.length >= 3) return run.slice(0, 64);
  }
  return null;
}

const templateCall =
  /(?:\.(?!\s)|\s\.\s{0,4})(?:\/\*[^*]{0,32}\*\/\s?)?(?:call|apply|bind|sort|map|find|filter|foreach|constructor|some|every|reduce|replace)\s{0,4}(?:\.\s{0,4}(?:call|apply|bind)\s{0,4})?`|`\s{0,4}\$\{\s{0,4}(?:alert|eval|prompt|confirm|document|window|fetch|self|location|this|import)\b|\$\{\s{0,4}(?:alert|prompt|confirm|eval|document|window|fetch)\b/;
const imported =
  /(?:^|[^\w.@-])import(?:\((?!s\))|\s{0,4}(?:\(\s{0,4}["'`/]|\{[^{}]{0,128}\}\s{0,4}from\s{0,4}["'`]|\*\s{0,4}as\s{1,4}\w{1,32}\s{1,4}from\s{0,4}["'`]|[\w$]{1,32}\s{1,4}from\s{0,4}["'`]|["'`](?:https?:)?\/\/))/;
const written =
  /(?:\.|\[["'`])(?:innerhtml|outerhtml|srcdoc)\b|\.\s?(?:insertadjacenthtml|setattribute|createcontextualfragment|appendchild|insertbefore|parsefromstring|replacewith|writeln)\s{0,4}(?:\(|`)|(?:^|[^\w.])\$\s?\.\s?(?:getscript|globaleval|get|post|ajax|parsehtml)\s?\(|(?:^|[^\w])jquery\s?(?:\.\s?(?:getscript|globaleval|ajax)|\()|(?:addeventlistener|postmessage|queryselector(?:all)?|getelementsby\w{1,12}|getelementbyid|queuemicrotask|requestanimationframe|execcommand)\(|createelement\s?\(\s?["'`]|\.\s?(?:parentnode|firstchild|childnodes|ownerdocument|contentwindow|contentdocument|defaultview)\b|\.\s?src\s?=\s?["'`](?:https?:)?\/\/|(?:^|[^\w.])\$\s?\(\s?["'`]\s?<|bypasssecuritytrust/;
const pieced =
  /\[\s{0,4}["'`]\w{1,16}["'`]\s{0,4}\+\s{0,4}["'`]\w{1,16}["'`]\s{0,4}(?:\+[^\]]{0,64})?\]|\[\s{0,4}["'`](?:alert|eval|prompt|confirm|settimeout|setinterval|innerhtml|cookie|location|write|domain|execscript)["'`]\s{0,4}\]|\(\s{0,4}(?:\d\s?,\s?)?(?:alert|eval|prompt|confirm)\s{0,4}\)\s{0,4}(?:\(|`)|\[\s{0,4}\/[^/\]]{1,32}\/\s?\.\s?source|(?:=|\(|,|;|\[|\{)\s{0,4}(?:alert|eval|prompt|confirm)\s{0,4}(?:[;,)\]}]|$)|\[\d[^[\]]{0,32}\]\s?\.\s?(?:find|map|some|every|foreach|filter)\s?\(\s?(?:alert|eval|prompt|confirm)/;

/** Scripts that leave the text they stand in. */
export const scriptPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 6020,
    title: "Call that attackers prove a script with",
    needs: [
      "alert",
      "confirm",
      "prompt",
      "eval",
      "timeout",
      "interval",
      "execscript",
      "importscripts",
      "immediate",
      "msgbox",
    ],
    find: matching(provingCall),
  },
  {
    ...shared,
    id: 6021,
    title: "Page, window or storage read by a script",
    needs: [...(requiredTexts(pageAccess) ?? [])],
    find: findPageAccess,
  },
  { ...shared, id: 6022, title: "Function made out of text", find: matching(madeFunction) },
  {
    ...shared,
    id: 6023,
    title: "Script of brackets alone",
    needs: ["[]", "[+", "[ ]"],
    find: (text) => bareTruth.exec(text)?.[0] ?? findBrackets(text),
  },
  {
    ...shared,
    id: 6024,
    title: "Method called with a template",
    needs: ["`", "${"],
    find: matching(templateCall),
  },
  { ...shared, id: 6025, title: "Module imported", find: matching(imported) },
  { ...shared, id: 6026, title: "Markup written by a script", find: matching(written) },
  {
    ...shared,
    id: 6028,
    title: "Name of a function hidden by pieces of text",
    needs: ["[", "alert", "eval", "prompt", "confirm"],
    find: matching(pieced),
  },
];
