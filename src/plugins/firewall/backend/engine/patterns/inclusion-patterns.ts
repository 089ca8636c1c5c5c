import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "remote-inclusion", paranoia: 1, severity: "critical" } as const;

/** Code that is to be fetched from elsewhere. */
export const inclusionPatterns: readonly Pattern[] = [
  {
    ...base,
    id: 2001,
    title: "Address of a machine by its number",
    places: ["query", "body", "cookie"],
    view: "plain",
    find: matching(
      /^\s{0,8}(?:url:)?(?:https?|ftps?|file|gopher|dict|smb|tftp):\/{0,4}(?:[^\s/@]{0,64}@)?(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\])(?:(?::\d{1,3})?(?:[/?#]\S{0,512})?|:\d{4,5}\/\S{1,512})\s{0,8}$/,
    ),
  },
  {
    ...base,
    id: 2002,
    title: "Address that cuts off what an application adds",
    places: ["query", "body", "cookie", "path"],
    view: "plain",
    find: matching(
      /^\s{0,8}["']?(?:(?:https?|ftps?|file|ssl|tls|php|data)(?::\/{1,4}\S{1,512}|:?\/{0,2})|\/\/[\w.-]{1,128}\.[a-z]{2,16}\/\S{1,512})(?:\?{1,4}|%00|\0)\s{0,8}$|^\s{0,8}(?:https?|ftps?):\/\/[^\s?]{1,400}\?(?:[^\s#]{0,200}&)?(?:cmd|exec|command|shell|c)=(?:id|ls|dir|whoami|uname|pwd|cat|phpinfo|system|nc|wget|curl)\b|^\s{0,8}\\\\[\w.-]{1,64}\\[\w$. -]{1,64}\\\S{0,128}\.(?:php|phtml|aspx?|jsp|inc|txt|exe|dll|bat|ps1|vbs)\s{0,4}$/,
    ),
  },
  {
    ...base,
    id: 2003,
    title: "Wrapper that reads or runs code",
    view: "plain",
    find: matching(
      /(?:^|[^a-z0-9])(?:php|phar|expect|glob|zlib|zip|rar|ogg|bzip2|ssh2(?:\.\w{1,8})?|compress\.(?:zlib|bzip2)|gopher|dict|netdoc|jar:(?:file|https?|ftp)|url:(?:file|https?|ftp)|tftp|ldapi?|mailto:.{0,32}\\n|view-source:https?|local_file|unix|wddx|java|mhtml|classpath\*?|wrapper\.\w{1,12}):\/{0,1}\/(?=\S)|=data:(?:\/\/)?(?:text|application)\/|(?:^|[|/])convert\.(?:iconv|base64|quoted-printable)[.-]\w|^\s{0,8}(?:(?:file|ldaps?|sftp|smb|netdoc|jar|expect|glob|local_file|dict|gopher):(?:\/|https?:|file:)|classpath\*?:\/{0,2}[\w-]|data:(?!(?:image\/(?!svg)|audio\/|video\/|font\/))[^\s,]{0,80}[,;/])/,
    ),
  },
  {
    ...base,
    id: 2004,
    title: "Script on another machine",
    places: ["query", "body", "cookie"],
    view: "plain",
    find: (text, { name }) => {
      const match = remote.exec(text);
      if (match === null) return null;
      return /\.(?:php\d?|phtml|inc|asp|jsp|sh|pl|py|cgi|exe|ps1|bat|jar|class)(?:[?#].{0,200})?$/.test(
        text,
      ) && !isLink(name)
        ? match[0]
        : namedInclusion(name, text, match[0]);
    },
  },
  {
    ...base,
    id: 2102,
    title: "Address in a path",
    paranoia: 2,
    places: ["path"],
    view: "plain",
    find: matching(/\/(?:https?|ftps?|file|gopher|php|data):\/{1,3}/),
  },
];

const remote = /^\s{0,8}(?:https?|ftps?):\/\/[^\s/?#]{1,255}/;

/** Parameters that are links by their names are addresses of pages, whatever these are written in. */
const isLink = (name: string): boolean =>
  /(?:^|[._-])(?:url|uri|link|href|website|homepage|redirect\w{0,8}|return\w{0,8}|next|callback\w{0,4}|referr?er|continue|image|avatar|logo)$/.test(
    name,
  ) || /(?:url|uri)$/.test(name);

/** Names under which applications include files: an address there is code from elsewhere. */
const namedInclusion = (name: string, text: string, piece: string): string | null => {
  const isMeant =
    included.test(name) || (mayInclude.test(name) && /\.(?:txt|gif|dat|log)(?:[?#].{0,200})?$/.test(text));
  return isMeant ? piece : null;
};

const included =
  /(?:^|[[\]_.-])(?:includes?(?:_?(?:path|file|dir))?|inc(?:_?(?:path|file|dir))?|(?:file|base|root|abs(?:olute)?|conf(?:ig)?|lib|class|module|mod|plugin|document|local|server|phpbb|site|home|main|theme|template|tpl|lang|admin|doc|function|incl)_?(?:path|dir|root|file|inc|location)|path|dir|basedir|basepath|rootpath|require|load|template|tpl|module|page|file|document|doc|view|layout|prefix|incl)\]?$/;
const mayInclude =
  /^(?:folder|root|mod|lang|language|style|skin|theme|config|cmd|content|section|body|src|pg|p)$/;
