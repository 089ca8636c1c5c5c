import type { Pattern } from "../engine-types.ts";
import { matching } from "../prefilter.ts";
import { words } from "../words.ts";

const base = { category: "file-access", paranoia: 1, severity: "critical" } as const;

/** Ways to files that nobody should serve. */
export const filePatterns: readonly Pattern[] = [
  matching(
    { ...base, id: 1001, title: "Way up through directories", view: "path", needs: ["..", "%2e", "0x2e"] },
    /(?:^|[^\w.)-])(?<!\]\()(?:[\w-]{0,32}\/)?(?:\.\.\/){2}|^\s{0,8}["'@]?(?:file:\/{0,3})?\/?(?:[\w-]{1,32}\/){0,4}\.\.(?:\/\S{0,256}\s{0,8}$|\/?$)|(?<!\.)\/\.\.\/(?:\.\.\/|\.?\w[\w.-]{0,32}\/)|\/\.{3}\/\.{3}\/|%\/\.\.%\/|%2e%2e(?:%2f|%5c|\/)|;\/\.\.\/|(?:\.|0x2e){2}0x(?:2f|5c)|\.\.%(?:2f|5c)|(?:\.\.%\w{2}%\w{2}){2}|\.\.%bg%/,
  ),
  matching(
    {
      ...base,
      id: 1002,
      title: "File of a Unix system",
      view: "path",
      needs: words(
        "boot/ library/ etc/ proc/ var/ usr/ root/ dev/ home/ run/ sys/ tmp/ opt/ srv/ conf/ logs/",
      ),
    },
    unixFile(),
  ),
  matching(
    { ...base, id: 1003, title: "File of a Windows system", view: "path" },
    /(?:^|[^a-z])(?:boot\.ini|desktop\.ini|win\.ini(?![a-z])|system\.ini|ntuser\.dat|unattend(?:ed)?\.xml|sysprep\.inf)|\b(?:windows|winnt)\/(?:system(?:32|64)\/(?:drivers|config|inetsrv|logfiles|spool|tasks|wbem|winevt|[\w-]{1,32}\.\w)|system\.ini|win\.ini|repair|debug|panther|temp|php\.ini|my\.ini|syswow64|explorer)|\binetpub\/|^\s{0,4}\/?[a-z]:\/(?:windows|winnt|users\/(?:all users|public|default|administrator)|system volume information|recovery|perflogs|system32|home\d?|logs?|php[\d.]{0,6}|nginx[\w.-]{0,12}|program files)\/[^?#]{0,200}(?:\.\w{1,12}|\/)\s{0,4}$|(?:^|[\s"'=:])[a-z]:\/(?:windows\/[\w-]{1,32}\.\w|boot|inetpub|program ?files|programdata\/|(?:php|mysql|sysprep|apache\d?|nginx|tomcat[\d.]{0,4}|jboss)\/|xampp|wamp|documents and settings|autoexec|config\.sys|pagefile)/,
  ),
  matching(
    { ...base, id: 1004, title: "Hidden file that is asked for", places: ["path"], view: "path" },
    /(?:^|(?<!\/node_modules)\/)\.(?!well-known(?:\/|$))[a-z_][\w.-]{0,64}/,
  ),
  matching(
    { ...base, id: 1005, title: "File with secrets of an application", view: "path" },
    /(?:^|[/=\s"'])(?:\.git\/(?:config|head|index|objects|refs|logs|hooks|info)|\.svn\/(?:entries|wc\.db)|\.hg\/(?:store|hgrc)|\.ssh\/|\.aws\/|\.kube\/|\.docker\/|\.gnupg\/|\.ht(?:access|passwd|group)\b|web-inf\/|meta-inf\/)|(?:^|\/)(?:\.env(?:\.(?:local|prod\w{0,8}|dev\w{0,9}|staging|backup|bak|example))?|\.(?:bash|zsh|sh|mysql|psql|python|node_repl|rediscli|sqlite)?_?history|\.(?:npmrc|netrc|pgpass|my\.cnf|dockercfg|git-credentials|pypirc|boto|s3cfg|bashrc|bash_profile|profile|zshrc|viminfo|ds_store)|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?|wp-config\.php\S{0,8}|web\.config|authorized_keys|localsettings\.php|configuration\.php|parameters\.ya?ml|database\.ya?ml|secrets\.ya?ml|\.\w{1,16}_(?:history|profile|log(?:in|out)|aliases|cookies)|\.(?:bash|zsh|ksh|csh|tcsh|vim|nano|wget|curl|screen|pine|pear|gem|mail|input|yarn|babel|eslint)rc|\.(?:xauthority|lesshst|k5login|rhosts|shosts|forward|plan|vault_pass|fetchmailrc|muttrc|hplip|addressbook|google_authenticator|gitconfig|git(?:ignore|modules|attributes)|subversion|password-store|wgetrc|vnc|rsync\w{0,8}|pki|gnupg|config|mozilla|remmina|cvsignore))(?=$|[\s"'?&;/:%\0])/,
  ),
  matching(
    { ...base, id: 1006, title: "Log, backup or dump that is asked for", places: ["path"], view: "path" },
    /(?:^|\/)(?:[\w.-]{1,48}\.log|[\w.-]{1,48}\.(?:bak|old|orig|swp|swo|save|sql(?:\.gz|\.zip)?|sqlite3?|mdb|kdbx?|pem|key|pfx|p12|jks|htpasswd|inc)|[\w.-]{1,48}\.(?:php|aspx?|jspx?|env|ini|ya?ml|json|xml|conf|config|cfg)(?:~|\.(?:bak|old|orig|save|swp|txt|dist|tmp|\d)|_bak)|[\w.-]{1,48}\.(?:ini|conf|cfg|cnf|properties|tfstate|tfvars|ovpn|rdp|keystore|dist|lock|toml|user|csproj|sln|suo)|(?:config(?:uration)?|parameters|database|secrets?|services|routing|security|application[\w-]{0,16}|values|travis|appveyor|codecov|serverless|settings|docker[\w-]{0,16})\.ya?ml|(?:config|auth|credentials|ormconfig|nodemon|ecosystem|launchsettings|local\.settings)\.json|(?:config|build|server|web|context|ivy|app)\.xml|(?:bower_components|nbproject)\/[\w@./-]{0,200}|vendor\/(?:bin|composer|autoload)[\w./-]{0,80}|(?:backup|dump|database|db|www|site|web|htdocs|public_html|wwwroot)\.(?:zip|tar|tar\.gz|tgz|rar|7z|gz|sql)|(?:docker-compose|dockerfile|composer|vagrantfile|gemfile|procfile|jenkinsfile|makefile|rakefile|pipfile)(?:\.(?:ya?ml|json|lock))?|(?:package(?:-lock)?|bower|tsconfig|tslint|appsettings(?:\.\w{1,16})?|sftp-config|credentials|secrets?|mcp|firebase|serverless)\.json|(?:yarn|cargo|poetry|gemfile)\.lock|(?:gulpfile|gruntfile|webpack\.config|vite\.config|karma\.conf|ecosystem\.config)\.[cm]?[jt]s|requirements\.txt|pyproject\.toml|cargo\.toml|phpunit\.xml(?:\.dist)?|pom\.xml|build\.gradle|(?:claude|agents?|gemini|codex|cursor|cline|copilot[\w-]{0,16}|qwen|warp|replit|crush|windsurf|skill|conventions|(?:system[_-])?prompts?|memory|soul|instructions|(?:coding[_-])?rules|identity|heartbeat)(?:\.local)?\.md|(?:claude|cursor|copilot|opencode|codex|gemini|openai|anthropic|openclaw)[\w.-]{0,32}\.(?:json|toml|ya?ml)|(?:service[-_]account|gcp[-_]credentials|firebase-adminsdk|kubeconfig|google-services)[\w-]{0,24}(?:\.json)?|(?:config|configuration|settings|connection|database)\.(?:php|inc|py|rb)|[\w-]{1,24}\.tf|app\.dockerfile|actuator\/(?:env|heapdump|configprops|mappings|threaddump|logfile|trace|shutdown|jolokia\S{0,40})|cvs\/(?:entries|root|repository)|global\.asa|[\w.-]{1,40}\.axd|eval-stdin\.php|go\.(?:mod|sum)|(?:sftp|deployment[_-]?config)\.json|docker-compose[\w.-]{1,24}\.ya?ml|[\w-]{1,40}\.env(?:\.\w{1,16})?|mcp[\w.-]{0,16}\.json|(?:opencode|crush|cline_mcp_settings)\.json|aider[\w.-]{1,24}|[\w-]{1,40}\.mdc|memory-bank\/[\w-]{1,24}\.md|(?:access|error)[_-]log|thumbs\.db|desktop\.ini|wp-config[\w.-]{1,16}|config\.inc(?:\.php)?|(?:local)?settings\.(?:php|py)|web\.config|global\.asax|crossdomain\.bak|server-(?:status|info)|phpinfo\.php|info\.php|adminer[\w.-]{0,16}\.php)$/,
  ),
  {
    ...base,
    id: 1007,
    title: "Upload under a name that servers run or obey",
    view: "path",
    find: (text, { name, place }) => {
      const isHeader = place === "header" && /^x[-._]?(?:upload[-._]?)?file[-._]?name$/.test(name);
      return isHeader || name.endsWith(".filename") ? (uploadName.exec(text)?.[0] ?? null) : null;
    },
  },
  {
    ...base,
    id: 1008,
    title: "NUL byte in front of a file's ending",
    view: "plain",
    find: (_text, { raw }) =>
      /(?:%00|\0|\\0|\\x00)\s{0,4}\.?(?:html?|php|jpe?g|png|gif|txt|pdf|ini|xml|json|jsp|asp)\b/i.exec(
        raw,
      )?.[0] ?? null,
  },
  matching(
    {
      ...base,
      id: 1009,
      title: "Configuration or log of a server",
      places: ["query", "body", "cookie"],
      view: "path",
    },
    // What programs of servers call their files, behind a way from the root or a drive.
    /^\s{0,4}(?:[a-z]:)?\/[^?#]{0,200}(?:php\.ini|my\.(?:ini|cnf)|(?:httpd|apache2?|nginx|lighttpd|postgresql|pg_hba|proftpd|vsftpd|pure-?ftpd|smb|named|dhcpd|squid|redis|mongod?|grub|inetd|syslog|krb5|haproxy|rabbitmq|php-fpm|www|openssl)\.(?:conf|cnf|cfg)|sendmail\.(?:ini|cf|mc)|(?:tomcat-users|server|web|context|metabase|jboss[\w-]{0,24}|filezilla[\w ]{0,16}|standalone|domain|log4j2?)\.(?:xml|properties)|(?:applicationhost|machine|web)\.config|menu\.lst|sshd?_config|elasticsearch\.yml|config\.inc\.php|wp-config\.php|phpinfo\.php|(?:access|error|php_error|mysql|mysqld|catalina|ftp|ssl_request|suexec|slow_query|queries)[._](?:log|err|out)|localhost_access_log[\w.-]{0,24}|pass(?:wd|words?)\.(?:dat|txt|db)|hosts\.(?:allow|deny|equiv))[\s\0]{0,4}$/,
  ),
];

/** Endings that web servers hand to interpreters, whatever blanks and dots follow; files that change how a directory is served. */
const uploadName =
  /\.\s{0,8}(?:ph(?:p\d{0,4}|t|tml?|ps|ar|pt)|inc|s?html?(?=\.ph)|jspx?|jsw|jsv|jspf|jsp[\w]?|aspx?|ashx|asmx|asax|ascx|cer|cdx|cfml?|cgi|pl|exe|bat|cmd|com|ps1|vbs|hta|jar|war|msi|scr|dll)[.\s]{0,32}(?:$|[;:%/\0]|\.(?:jpe?g|png|gif|txt|pdf)[.\s]{0,8}$)|(?:^|\/)\.?(?:ht(?:access|passwd)|user\.ini|env|git\w{0,12}|npmrc|bashrc|profile)[.\s]{0,8}$|(?:^|\/)(?:web\.config|[\w-]{0,24}(?:config|settings|secrets?|credentials|parameters|database)(?:uration)?\.(?:php|ya?ml|inc|ini|xml|json|py|rb|cnf|conf)|[\w.-]{1,40}\.(?:htaccess|htpasswd|conf|ini|cnf|env|pem|key|bak|log|sql)|\.[a-z][\w.-]{1,32}|(?:local|wp-|db[._-]?|app[._-]?)?config(?:uration)?\.(?:php|ya?ml|inc|ini|xml|json|js|py|rb)|php\.ini|my\.cnf|settings\.py|sess_[\w,-]{3,256}|authorized_keys|id_rsa)[.\s]{0,8}$/;

function unixFile(): RegExp {
  const etc =
    "passwd|shadow|g?shadow|group|sub[ug]id|sudoers|crontab|cron\\.|fstab|hosts|hostname|issue|motd|mtab|exports|services|inetd|xinetd|profile|bash|ssh|ssl|pki|pam|ldap|mysql|my\\.cnf|postgres|apache|httpd|nginx|lighttpd|php|redis|samba|vsftp|proftpd|resolv\\.conf|network|sysconfig|sysctl|rc\\.|rc\\d|init|security|shells|master\\.passwd|environment|ld\\.so|logrotate|syslog|rsyslog|kubernetes|docker|machine-id|os-release|lsb-release|redhat-release|debian_version|at\\.|default/|aliases|tomcat|squid|openvpn|wireguard|letsencrypt|alpine|krb5|snmp|zabbix|gitlab";
  const pieces = [
    `(?:^|[^\\w.-]|\\.\\.)/?etc/(?:${etc})`,
    "(?:^|[^\\w.:-])/etc/\\w",
    "^\\s{0,4}/?(?:private/)?(?:(?:etc|proc|sys/(?:class|kernel|devices|module)|boot/(?:grub|efi))/\\w|boot/(?:config|vmlinuz)|library/webserver/|(?<=/)var/\\w|usr/(?:s?bin|lib(?:32|64|exec)?|local|share|src|include|etc|home)/[\\w.]|root/[\\w.]|opt/[\\w.-]{1,24}/(?:etc|conf|logs?|var|bin)/)",
    "(?:^|[^\\w.-])/?proc/(?:self|thread-self|\\d{1,7}|version|cpuinfo|meminfo|mounts|net|sched_debug|cmdline|sys|kcore|buddyinfo|cgroups|config\\.gz|consoles|crypto|devices|diskstats|filesystems|interrupts|iomem|ioports|kallsyms|key-users|keys|kmsg|loadavg|locks|misc|modules|partitions|pagetypeinfo|slabinfo|softirqs|stat|swaps|sysrq-trigger|timer_list|uptime|vmallocinfo|vmstat|zoneinfo)\\b",
    "(?:^|[^\\w.-])/?var/(?:log/[\\w.]|www/|run/(?:secrets|docker)|lib/(?:mysql|docker|kubelet|jenkins|mlocate|php)|spool/|backups?/|mail/|cpanel|htdocs|adm/)",
    "(?:^|[^\\w.-])/?usr/(?:local/(?:apache|apps|etc|nginx|php|mysql|tomcat|pgsql|zeus|www)|lib/(?:cgi|php|security)|share/(?:tomcat|nginx)|pkg/|home/)",
    "(?:^|[^\\w.:-])/root/\\.?\\w",
    "(?:^|[^\\w.-])/home/[\\w.-]{1,32}/\\.\\w",
    "(?:^|[^\\w.-])/dev/(?:tcp|udp|mem|kmem|sd[a-z]\\d?|shm|random|urandom|stdin|fd/)\\b",
    "^\\s{0,4}/(?:sys/fs/|srv/[\\w./-]{1,80}\\.(?:php|conf|ya?ml|env|ini|py|rb)$|opt/[\\w./-]{1,80}\\.(?:conf|ya?ml|env|ini|xml|properties)$)",
    "(?:^|[^\\w.-])/?(?:run/secrets/|sys/(?:class|kernel|devices|module|firmware|bus|block|power|fs)(?:/|$)|opt/(?:lampp|xampp|tomcat|bitnami|nginx)/)",
    "^\\s{0,4}/?tmp/(?:sess_|[\\w.-]{1,32}\\.(?:php|sh|py|pl|sock|so))",
    "\\b(?:conf|logs)/(?:httpd\\.conf|access[_.]log|error[_.]log|tomcat-users\\.xml|server\\.xml)",
  ];
  return new RegExp(pieces.join("|"));
}

const inclusion = { category: "remote-inclusion", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Code that is to be fetched from elsewhere. */
export const inclusionPatterns: readonly Pattern[] = [
  matching(
    {
      ...inclusion,
      id: 2001,
      title: "Address of a machine by its number",
      places: ["query", "body", "cookie"],
    },
    /^\s{0,8}(?:url:)?(?:https?|ftps?|file|gopher|dict|smb|tftp):\/{0,4}(?:[^\s/@]{0,64}@)?(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]{2,45}\])(?:(?::\d{1,3})?(?:[/?#]\S{0,512})?|:\d{4,5}\/\S{1,512})\s{0,8}$/,
  ),
  matching(
    {
      ...inclusion,
      id: 2002,
      title: "Address that cuts off what an application adds",
      places: ["query", "body", "cookie", "path"],
    },
    /^\s{0,8}["']?(?:(?:https?|ftps?|file|ssl|tls|php|data)(?::\/{1,4}\S{1,512}|:?\/{0,2})|\/\/[\w.-]{1,128}\.[a-z]{2,16}\/\S{1,512})(?:\?{1,4}|%00|\0)\s{0,8}$|^\s{0,8}(?:https?|ftps?):\/\/[^\s?]{1,400}\?(?:[^\s#]{0,200}&)?(?:cmd|exec|command|shell|c)=(?:id|ls|dir|whoami|uname|pwd|cat|phpinfo|system|nc|wget|curl)\b|^\s{0,8}\\\\[\w.-]{1,64}\\[\w$. -]{1,64}\\\S{0,128}\.(?:php|phtml|aspx?|jsp|inc|txt|exe|dll|bat|ps1|vbs)\s{0,4}$/,
  ),
  matching(
    { ...inclusion, id: 2003, title: "Wrapper that reads or runs code" },
    /(?:^|[^a-z0-9])(?:php|phar|expect|glob|zlib|zip|rar|ogg|bzip2|ssh2(?:\.\w{1,8})?|compress\.(?:zlib|bzip2)|gopher|dict|netdoc|jar:(?:file|https?|ftp)|url:(?:file|https?|ftp)|tftp|ldapi?|mailto:.{0,32}\\n|view-source:https?|local_file|unix|wddx|java|mhtml|classpath\*?|wrapper\.\w{1,12}):\/{0,1}\/(?=\S)|=data:(?:\/\/)?(?:text|application)\/|(?:^|[|/])convert\.(?:iconv|base64|quoted-printable)[.-]\w|^\s{0,8}(?:(?:file|ldaps?|sftp|smb|netdoc|jar|expect|glob|local_file|dict|gopher):(?:\/|https?:|file:)|classpath\*?:\/{0,2}[\w-]|data:(?!(?:image\/(?!svg)|audio\/|video\/|font\/))[^\s,]{0,80}[,;/])/,
  ),
  {
    ...inclusion,
    id: 2004,
    title: "Script on another machine",
    places: ["query", "body", "cookie"],
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
  matching(
    { ...inclusion, id: 2102, title: "Address in a path", paranoia: 2, places: ["path"] },
    /\/(?:https?|ftps?|file|gopher|php|data):\/{1,3}/,
  ),
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
