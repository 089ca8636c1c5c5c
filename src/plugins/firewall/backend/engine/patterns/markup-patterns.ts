import type { Pattern } from "../engine-types.ts";
import { matching, requiredTexts } from "../prefilter.ts";

const shared = {
  category: "cross-site-scripting",
  paranoia: 1,
  severity: "critical",
  view: "markup",
} as const;

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

/** Browsers that read seven bits of a byte took `¼` for `<`; behind another such letter it is a badly read text. */
const sevenBits =
  /\u00c2\u00bc\/?script\b|(?:^|[^\u00c0-\uffff])\u00bc[/!]?[a-z][^\u00be<>]{1,128}(?:\u00be|$)|<[a-z][^<>\u00c0-\uffff]{0,64}\u00be/;

/** Elements and attributes with which markup runs scripts or brings foreign content in. */
export const tagPatterns: readonly Pattern[] = [
  matching(
    { ...shared, id: 6001, title: "Element that runs scripts", needs: ["<"] },
    // A name ends where no letter, digit or dash follows; a prefix such as `svg:` changes nothing.
    /<\/?(?:[\w-]{1,32}:)?(?:script|applet|frameset|ilayer|bgsound|vmlframe|isindex|jsx?:|handler|listener)(?![\w-])/,
  ),
  matching(
    { ...shared, id: 6002, title: "Element that brings foreign content in", needs: ["<"] },
    /<\s{1,4}\/?\s{0,4}(?:script|iframe|object|embed|svg|img|form|style)\b[^<>]{0,64}[=>]|<(?:[\w-]{1,32}:)?(?:iframe|frame|object|embed|base|portal|fencedframe|layer|import)(?![\w-])[^a-z0-9<]|<(?:[\w-]{1,32}:)?(?:iframe|frame|object|embed|applet|portal)(?:$|[\s/>])|<link[\s/]|<meta\b[^<>]{0,256}\b(?:http-equiv|charset|content)\s{0,4}=?|<form\b[^<>]{0,256}(?:\baction\s{0,4}=|>)|<(?:animate\w{0,16}|set)\b[^<>]{0,256}\b(?:attributename|values|to|onbegin)\s{0,4}=|<style(?![\w-])|<\??import\s{0,4}implementation|<(?:svg|math|marquee|foreignobject|input|textarea|keygen|dialog|noscript|xmp|plaintext|listing)(?:[\s/][^<>]{0,200}=|[^\w<>-]{0,4}>)|<\?(?:xml-stylesheet|import)\b|<xml\b[^<>]{0,128}\b(?:src|id)\s{0,4}=|<!--\s{0,4}#(?:exec|include|echo|printenv|config|set)\b|<!--\[if\b/,
  ),
  { ...shared, id: 6003, title: "Event handler in markup", needs: ["on"], find: findHandler },
  matching({ ...shared, id: 6004, title: "Address that is a script", needs: [":"] }, scriptAddress),
  matching(
    { ...shared, id: 6005, title: "Data address that is a page" },
    /(?:^|["'`=(\s])data\s{0,4}:\s{0,4}(?!\/\/)(?:[;,]\S|text\/(?!plain)[a-z]|application\/(?!pdf|octet-stream|zip|json)[a-z]|image\/svg|multipart\/|message\/|[^\s,;]{0,64}[;,]\s{0,4}(?:<|alert|%3c|eval|import|document))|data\s{0,4}:[^\s,]{0,64}(?:[;,]\s?base64,phn2|;base64,phnj)|(?:src|href|data|action|to|values|from)\s{0,4}=\s{0,4}["']?\s{0,4}data\s{0,4}:(?!image\/(?:png|jpe?g|gif|webp|bmp|x-icon)|audio\/|video\/|font\/)/,
  ),
  matching(
    { ...shared, id: 6006, title: "Attribute that runs or loads something", needs: ["="] },
    /(?:^|[\s"'`/])(?:srcdoc|formaction|xlink:href|xlink:actuate|xml:base|fscommand|seeksegmenttime|dynsrc|lowsrc|datasrc|dataformatas|ng-(?:app|csp|init|click|mouse\w+|focus|bind-html)|v-(?:html|on:\w+|bind:\w+)|x-(?:init|on:\w+|html|data)|hx-(?:on\S{0,32}|get|post|vals|trigger)|data-bind)\s{0,8}=\s{0,8}["'`]?[^\s]|["'`]\s?(?:formaction|srcdoc|xlink:href)\s{0,4}=\s?$|<[a-z][^<>]{0,256}[\s"'/](?:allowscriptaccess|popovertarget|is)\s{0,4}=/,
  ),
  matching(
    {
      ...shared,
      id: 6007,
      title: "Style that runs scripts",
      needs: ["pression", "-moz-binding", "behavi", "@import", "url", "-o-link"],
    },
    /(?:[:;{"'=\s]|^)ex?(?:\/\*[^*]{0,32}\*\/\s?){0,3}x?pression\s{0,4}\(\s?[a-z('"]|-moz-binding\b|behaviou?r\s{0,4}:\s{0,4}url|@import\s{0,4}(?:url\s?\(|["'])|url\s{0,4}\(\s{0,4}["']?\s{0,4}(?:javascript|vbscript|data\s?:\s?text)|-o-link(?:-source)?\s{0,4}:/,
  ),
  { ...shared, id: 6008, title: "Element spelt with blanks", needs: ["<"], find: findSpelt },
  {
    ...shared,
    id: 6009,
    title: "Namespace declared in a field",
    needs: ["xmlns", "xsi:"],
    find: (text, { name, place }) =>
      name !== "" || place !== "body" ? (namespaced.exec(text)?.[0] ?? null) : null,
  },
  matching({ ...shared, id: 6010, title: "Markup in UTF-7", view: "plain" }, /\+ad(?:w|4)-|\+adw[a-z]/),
  matching(
    { ...shared, id: 6011, title: "Document type or entity declared" },
    /!entity\s|<!--(?![^<>]{0,512}-->)|<!\[cdata\[|\bsystem\s{1,4}["'](?:https?|file|php|ftp|expect|jar|gopher|netdoc|dtd):|<!doctype\s[^<>[]{0,256}(?:\[|system\s|public\s["'][^"']{0,128}["']\s{0,4}["'](?!http:\/\/www\.w3\.org))|<!(?:element|attlist|notation)\s|<xi:include\b/,
  ),
  { ...shared, id: 6013, title: "Element with a source or a style", needs: ["<"], find: findSourced },
  {
    ...shared,
    id: 6012,
    title: "Markup in seven bits",
    view: "plain",
    needs: ["script", "src", "on"],
    find: (text) => (/[\u00bc\u00be]/.test(text) ? (sevenBits.exec(text)?.[0] ?? null) : null),
  },
];

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

/** Scripts that leave the text they stand in. */
export const scriptPatterns: readonly Pattern[] = [
  matching({ ...shared, id: 6020, title: "Call that attackers prove a script with" }, provingCall),
  {
    ...shared,
    id: 6021,
    title: "Page, window or storage read by a script",
    needs: [...(requiredTexts(pageAccess) ?? [])],
    find: findPageAccess,
  },
  matching(
    { ...shared, id: 6022, title: "Function made out of text" },
    /\.\s?constructor\s{0,4}(?:\.\s?constructor|\(|\[|`)|\[\s?["'`]constructor["'`]\s?\]|constructor\s?\.\s?constructor|(?:^|[^\w.])(?:new\s{1,4}function\s{0,4}(?:\(|`)|function\s{0,4}(?:\(\s?["'`]|`))|string\s{0,4}\.\s{0,4}from(?:charcode|codepoint)|(?:^|[^\w])(?:atob|btoa|unescape|(?:de|en)codeuri(?:component)?)(?:\(|\s{0,4}`)|reflect\s?\.\s?(?:apply|construct|get|set)\s?\(|\d{2,12}\s?\)?\s?\.{1,2}\s?tostring\s?\(\s?(?:3[0-6]|2\d)|\(\s?function\s?\w{0,16}\s?\([^)]{0,64}\)\s?\{|\(\s?\(?[\w$,\s]{0,32}\)?\s?=>\s?\{?[^)]{0,64}\}?\s?\)\s?\(|__(?:define|lookup)[gs]etter__/,
  ),
  {
    ...shared,
    id: 6023,
    title: "Script of brackets alone",
    needs: ["[]", "[+", "[ ]"],
    find: (text) => bareTruth.exec(text)?.[0] ?? findBrackets(text),
  },
  matching(
    { ...shared, id: 6024, title: "Method called with a template", needs: ["`", "${"] },
    /(?:\.(?!\s)|\s\.\s{0,4})(?:\/\*[^*]{0,32}\*\/\s?)?(?:call|apply|bind|sort|map|find|filter|foreach|constructor|some|every|reduce|replace)\s{0,4}(?:\.\s{0,4}(?:call|apply|bind)\s{0,4})?`|`\s{0,4}\$\{\s{0,4}(?:alert|eval|prompt|confirm|document|window|fetch|self|location|this|import)\b|\$\{\s{0,4}(?:alert|prompt|confirm|eval|document|window|fetch)\b/,
  ),
  matching(
    { ...shared, id: 6025, title: "Module imported" },
    /(?:^|[^\w.@-])import(?:\((?!s\))|\s{0,4}(?:\(\s{0,4}["'`/]|\{[^{}]{0,128}\}\s{0,4}from\s{0,4}["'`]|\*\s{0,4}as\s{1,4}\w{1,32}\s{1,4}from\s{0,4}["'`]|[\w$]{1,32}\s{1,4}from\s{0,4}["'`]|["'`](?:https?:)?\/\/))/,
  ),
  matching(
    { ...shared, id: 6026, title: "Markup written by a script" },
    /(?:\.|\[["'`])(?:innerhtml|outerhtml|srcdoc)\b|\.\s?(?:insertadjacenthtml|setattribute|createcontextualfragment|appendchild|insertbefore|parsefromstring|replacewith|writeln)\s{0,4}(?:\(|`)|(?:^|[^\w.])\$\s?\.\s?(?:getscript|globaleval|get|post|ajax|parsehtml)\s?\(|(?:^|[^\w])jquery\s?(?:\.\s?(?:getscript|globaleval|ajax)|\()|(?:addeventlistener|postmessage|queryselector(?:all)?|getelementsby\w{1,12}|getelementbyid|queuemicrotask|requestanimationframe|execcommand)\(|createelement\s?\(\s?["'`]|\.\s?(?:parentnode|firstchild|childnodes|ownerdocument|contentwindow|contentdocument|defaultview)\b|\.\s?src\s?=\s?["'`](?:https?:)?\/\/|(?:^|[^\w.])\$\s?\(\s?["'`]\s?<|bypasssecuritytrust/,
  ),
  matching(
    {
      ...shared,
      id: 6028,
      title: "Name of a function hidden by pieces of text",
      needs: ["[", "alert", "eval", "prompt", "confirm"],
    },
    /\[\s{0,4}["'`]\w{1,16}["'`]\s{0,4}\+\s{0,4}["'`]\w{1,16}["'`]\s{0,4}(?:\+[^\]]{0,64})?\]|\[\s{0,4}["'`](?:alert|eval|prompt|confirm|settimeout|setinterval|innerhtml|cookie|location|write|domain|execscript)["'`]\s{0,4}\]|\(\s{0,4}(?:\d\s?,\s?)?(?:alert|eval|prompt|confirm)\s{0,4}\)\s{0,4}(?:\(|`)|\[\s{0,4}\/[^/\]]{1,32}\/\s?\.\s?source|(?:=|\(|,|;|\[|\{)\s{0,4}(?:alert|eval|prompt|confirm)\s{0,4}(?:[;,)\]}]|$)|\[\d[^[\]]{0,32}\]\s?\.\s?(?:find|map|some|every|foreach|filter)\s?\(\s?(?:alert|eval|prompt|confirm)/,
  ),
];
