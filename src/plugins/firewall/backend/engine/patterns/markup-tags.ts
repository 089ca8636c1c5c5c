import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const shared = {
  category: "cross-site-scripting",
  paranoia: 1,
  severity: "critical",
  view: "markup",
} as const;

// A name ends where no letter, digit or dash follows; a prefix such as `svg:` changes nothing.
const scriptTag =
  /<\/?(?:[\w-]{1,32}:)?(?:script|applet|frameset|ilayer|bgsound|vmlframe|isindex|jsx?:|handler|listener)(?![\w-])/;
const foreignTag =
  /<\s{1,4}\/?\s{0,4}(?:script|iframe|object|embed|svg|img|form|style)\b[^<>]{0,64}[=>]|<(?:[\w-]{1,32}:)?(?:iframe|frame|object|embed|base|portal|fencedframe|layer|import)(?![\w-])[^a-z0-9<]|<(?:[\w-]{1,32}:)?(?:iframe|frame|object|embed|applet|portal)(?:$|[\s/>])|<link[\s/]|<meta\b[^<>]{0,256}\b(?:http-equiv|charset|content)\s{0,4}=?|<form\b[^<>]{0,256}(?:\baction\s{0,4}=|>)|<(?:animate\w{0,16}|set)\b[^<>]{0,256}\b(?:attributename|values|to|onbegin)\s{0,4}=|<style(?![\w-])|<\??import\s{0,4}implementation|<(?:svg|math|marquee|foreignobject|input|textarea|keygen|dialog|noscript|xmp|plaintext|listing)(?:[\s/][^<>]{0,200}=|[^\w<>-]{0,4}>)|<\?(?:xml-stylesheet|import)\b|<xml\b[^<>]{0,128}\b(?:src|id)\s{0,4}=|<!--\s{0,4}#(?:exec|include|echo|printenv|config|set)\b|<!--\[if\b/;

const tagPieces = /<[a-z/!?]|>|(?:^|[^a-z])on[a-z_]{3,40}\s{0,16}=(?!=)/g;

/** What browsers tell scripts of, by the beginnings of the names. */
const known =
  /^on(?:abort|activate|after|animation|auxclick|before|blur|bounce|can(?:cel|play)|change|click|close|contextm|copy|cuechange|cut|dataset|dblclick|deactivate|drag|drop|duration|emptied|end|error|finish|focus|form(?:change|input)|fullscreen|got(?:pointer)|hashchange|input|invalid|key(?:down|up|press)|load|los[et]|media|message|mouse|move|offline|open|page(?:show|hide)|paste|pause|play|pointer|popstate|progress|propertychange|ratechange|readystate|repeat|reset|resize|row|scroll|search|seek|select|show|stalled|start|stop|storage|submit|suspend|timeupdate|toggle|touch|transition|unhandled|unload|volumechange|waiting|webkit|wheel)/;

/** Words of English that begin like handlers. */
const english =
  /^on(?:c(?:e|oming|ology\w*)|e(?:s|self|rous\w*|tomany|toone)?|going|ion\w*|l(?:ine\w*|ly|ooker\w*)|board\w*|s(?:et\w*|hore|ite|laught|tage|creen)|to\w*|us|ward\w*|demand|yx|premise\w*)$/;

/** Outside of a tag: an attribute's end stands before it, or code behind it. "onclick = the event" has neither. */
const mayBeAttribute = (text: string, start: number, end: number): boolean => {
  const before = text.slice(Math.max(0, start - 4), start + 1);
  return /["'`/\\]\s{0,4}$/.test(before) || handlerValue.test(text.slice(end, end + 64));
};

const handlerValue =
  /^\s{0,8}(?:["'`]|[\w$.]{1,48}\s?(?:[([`=;]|\?\.)|[\w$.]{0,48}$|[[({+!/&\\]|javascript:|new\s|throw\s)/;

/** A handler inside of a tag, or where a value might be in one. */
function findHandler(text: string): string | null {
  let isInTag = false;
  for (const { 0: piece, index } of text.matchAll(tagPieces)) {
    if (piece[0] === "<") isInTag = true;
    else if (piece === ">") isInTag = false;
    else {
      const name = piece.slice(piece.indexOf("on")).replace(/[\s=]+$/, "");
      const isDelimited = /^[^\w$.-]|^\d/.test(piece) || isInTag;
      const isNamed = known.test(name) || (isDelimited && !english.test(name));
      if (isNamed && (isInTag || mayBeAttribute(text, index, index + piece.length)))
        return text.slice(index, index + piece.length + 32);
    }
  }
  return null;
}

const gap = "\\s{0,4}";
const spaced = (word: string): string => [...word].join(gap);
const scriptAddress = new RegExp(
  `(?:^|[^\\w.-])(?:feed:|view-source:|jar:)?(?:${spaced("javascript")}|${spaced("vbscript")}|${spaced("livescript")}|${spaced("mocha")}|vbs)${gap}:(?:[^\\s]|\\s{1,8}(?:[\\w$.]{1,48}\\s?[(\`=\\[]|[/('"\`\\[!+\\\\]|$))|^\\s{0,8}(?:${spaced("javascript")}|${spaced("vbscript")})${gap}:\\s{0,8}$`,
);
const dataAddress =
  /(?:^|["'`=(\s])data\s{0,4}:\s{0,4}(?!\/\/)(?:[;,]\S|text\/(?!plain)[a-z]|application\/(?!pdf|octet-stream|zip|json)[a-z]|image\/svg|multipart\/|message\/|[^\s,;]{0,64}[;,]\s{0,4}(?:<|alert|%3c|eval|import|document))|data\s{0,4}:[^\s,]{0,64}(?:[;,]\s?base64,phn2|;base64,phnj)|(?:src|href|data|action|to|values|from)\s{0,4}=\s{0,4}["']?\s{0,4}data\s{0,4}:(?!image\/(?:png|jpe?g|gif|webp|bmp|x-icon)|audio\/|video\/|font\/)/;
const loadingAttribute =
  /(?:^|[\s"'`/])(?:srcdoc|formaction|xlink:href|xlink:actuate|xml:base|fscommand|seeksegmenttime|dynsrc|lowsrc|datasrc|dataformatas|ng-(?:app|csp|init|click|mouse\w+|focus|bind-html)|v-(?:html|on:\w+|bind:\w+)|x-(?:init|on:\w+|html|data)|hx-(?:on\S{0,32}|get|post|vals|trigger)|data-bind)\s{0,8}=\s{0,8}["'`]?[^\s]|["'`]\s?(?:formaction|srcdoc|xlink:href)\s{0,4}=\s?$|<[a-z][^<>]{0,256}[\s"'/](?:allowscriptaccess|popovertarget|is)\s{0,4}=/;
const runningStyle =
  /(?:[:;{"'=\s]|^)ex?(?:\/\*[^*]{0,32}\*\/\s?){0,3}x?pression\s{0,4}\(\s?[a-z('"]|-moz-binding\b|behaviou?r\s{0,4}:\s{0,4}url|@import\s{0,4}(?:url\s?\(|["'])|url\s{0,4}\(\s{0,4}["']?\s{0,4}(?:javascript|vbscript|data\s?:\s?text)|-o-link(?:-source)?\s{0,4}:/;

const spelt = /<\W{0,4}((?:[a-z][^\w<>]{1,4}){2,12}[a-z])(?!\w)/g;
const speltNames =
  /^(?:script|iframe|dialog|details|template|textarea|select|form|object|embed|applet|meta|style|link|base|svg|math|img|video|audio|body|html|input|button|xml|frame|frameset|layer|marquee)/;

function findSpelt(text: string): string | null {
  for (const [whole, letters = ""] of text.matchAll(spelt))
    if (speltNames.test(letters.replace(/\W/g, ""))) return whole;
  return null;
}

const namespaced =
  /^\s{0,4}xsi:(?:nonamespace)?schemalocation\s{0,4}=|<[a-z!?][^<>]{0,256}\s(?:xmlns(?::[\w-]{1,32})?|xsi:[\w-]{1,32})\s{0,4}=/;
const utf7 = /\+ad(?:w|4)-|\+adw[a-z]/;
const declared =
  /!entity\s|<!--(?![^<>]{0,512}-->)|<!\[cdata\[|\bsystem\s{1,4}["'](?:https?|file|php|ftp|expect|jar|gopher|netdoc|dtd):|<!doctype\s[^<>[]{0,256}(?:\[|system\s|public\s["'][^"']{0,128}["']\s{0,4}["'](?!http:\/\/www\.w3\.org))|<!(?:element|attlist|notation)\s|<xi:include\b/;
/** Browsers that read seven bits of a byte took `¼` for `<`; behind another such letter it is a badly read text. */
const sevenBits =
  /\u00c2\u00bc\/?script\b|(?:^|[^\u00c0-\uffff])\u00bc[/!]?[a-z][^\u00be<>]{1,128}(?:\u00be|$)|<[a-z][^<>\u00c0-\uffff]{0,64}\u00be/;

const attribute = (names: string): string =>
  `<[a-z][\\w:-]{0,32}(?:[\\s/"'][^<>]{0,256})?[\\s/"'](?:${names})\\s{0,4}=`;
const plainSource = "(?!\\s?([\"'])(?:https?://)?[\\w./?&=%#~@+:;,-]{0,512}\\1[\\s/>])";
const plainStyle = "(?!\\s?([\"'])[\\w\\s:;#.%,-]{0,512}\\1[\\s/>])";
/** Pictures with an address and styles with plain values are what people paste; scripts in them are other patterns'. */
const sourced = [
  attribute(
    "background|action|classid|code|pattern|codebase|data|lowsrc|cite|ping|manifest|profile|longdesc|usemap|icon",
  ),
  `${attribute("src|srcset|poster")}${plainSource}`,
  `${attribute("style")}${plainStyle}`,
].map((source) => new RegExp(source));
const findSourced = (text: string): string | null => {
  for (const expression of sourced) {
    const found = expression.exec(text);
    if (found !== null) return found[0];
  }
  return null;
};

/** Elements and attributes with which markup runs scripts or brings foreign content in. */
export const tagPatterns: readonly Pattern[] = [
  { ...shared, id: 6001, title: "Element that runs scripts", needs: ["<"], find: matching(scriptTag) },
  {
    ...shared,
    id: 6002,
    title: "Element that brings foreign content in",
    needs: ["<"],
    find: matching(foreignTag),
  },
  { ...shared, id: 6003, title: "Event handler in markup", needs: ["on"], find: findHandler },
  { ...shared, id: 6004, title: "Address that is a script", needs: [":"], find: matching(scriptAddress) },
  { ...shared, id: 6005, title: "Data address that is a page", find: matching(dataAddress) },
  {
    ...shared,
    id: 6006,
    title: "Attribute that runs or loads something",
    needs: ["="],
    find: matching(loadingAttribute),
  },
  {
    ...shared,
    id: 6007,
    title: "Style that runs scripts",
    needs: ["pression", "-moz-binding", "behavi", "@import", "url", "-o-link"],
    find: matching(runningStyle),
  },
  { ...shared, id: 6008, title: "Element spelt with blanks", needs: ["<"], find: findSpelt },
  {
    ...shared,
    id: 6009,
    title: "Namespace declared in a field",
    needs: ["xmlns", "xsi:"],
    find: (text, { name, place }) =>
      name !== "" || place !== "body" ? (namespaced.exec(text)?.[0] ?? null) : null,
  },
  { ...shared, id: 6010, title: "Markup in UTF-7", view: "plain", find: matching(utf7) },
  { ...shared, id: 6011, title: "Document type or entity declared", find: matching(declared) },
  { ...shared, id: 6013, title: "Element with a source or a style", needs: ["<"], find: findSourced },
  {
    ...shared,
    id: 6012,
    title: "Markup in seven bits",
    view: "plain",
    needs: ["script", "src", "on"],
    find: matching(sevenBits),
  },
];
