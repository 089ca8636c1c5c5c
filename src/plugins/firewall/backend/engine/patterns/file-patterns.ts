import type { Pattern } from "../engine-types.ts";
import { matching } from "../matching.ts";

const base = { category: "file-access", paranoia: 1, severity: "critical" } as const;

/** What programs of servers call their files, behind a way from the root or a drive. */
const serverFile =
  /^\s{0,4}(?:[a-z]:)?\/[^?#]{0,200}(?:php\.ini|my\.(?:ini|cnf)|(?:httpd|apache2?|nginx|lighttpd|postgresql|pg_hba|proftpd|vsftpd|pure-?ftpd|smb|named|dhcpd|squid|redis|mongod?|grub|inetd|syslog|krb5|haproxy|rabbitmq|php-fpm|www|openssl)\.(?:conf|cnf|cfg)|sendmail\.(?:ini|cf|mc)|(?:tomcat-users|server|web|context|metabase|jboss[\w-]{0,24}|filezilla[\w ]{0,16}|standalone|domain|log4j2?)\.(?:xml|properties)|(?:applicationhost|machine|web)\.config|menu\.lst|sshd?_config|elasticsearch\.yml|config\.inc\.php|wp-config\.php|phpinfo\.php|(?:access|error|php_error|mysql|mysqld|catalina|ftp|ssl_request|suexec|slow_query|queries)[._](?:log|err|out)|localhost_access_log[\w.-]{0,24}|pass(?:wd|words?)\.(?:dat|txt|db)|hosts\.(?:allow|deny|equiv))[\s\0]{0,4}$/;

/** Ways to files that nobody should serve. */
export const filePatterns: readonly Pattern[] = [
  {
    ...base,
    id: 1001,
    title: "Way up through directories",
    view: "path",
    needs: ["..", "%2e", "0x2e"],
    find: matching(
      /(?:^|[^\w.)-])(?<!\]\()(?:[\w-]{0,32}\/)?(?:\.\.\/){2}|^\s{0,8}["'@]?(?:file:\/{0,3})?\/?(?:[\w-]{1,32}\/){0,4}\.\.(?:\/\S{0,256}\s{0,8}$|\/?$)|(?<!\.)\/\.\.\/(?:\.\.\/|\.?\w[\w.-]{0,32}\/)|\/\.{3}\/\.{3}\/|%\/\.\.%\/|%2e%2e(?:%2f|%5c|\/)|;\/\.\.\/|(?:\.|0x2e){2}0x(?:2f|5c)|\.\.%(?:2f|5c)|(?:\.\.%\w{2}%\w{2}){2}|\.\.%bg%/,
    ),
  },
  {
    ...base,
    id: 1002,
    title: "File of a Unix system",
    view: "path",
    needs: [
      "boot/",
      "library/",
      "etc/",
      "proc/",
      "var/",
      "usr/",
      "root/",
      "dev/",
      "home/",
      "run/",
      "sys/",
      "tmp/",
      "opt/",
      "srv/",
      "conf/",
      "logs/",
    ],
    find: matching(unixFile()),
  },
  {
    ...base,
    id: 1003,
    title: "File of a Windows system",
    view: "path",
    find: matching(
      /(?:^|[^a-z])(?:boot\.ini|desktop\.ini|win\.ini(?![a-z])|system\.ini|ntuser\.dat|unattend(?:ed)?\.xml|sysprep\.inf)|\b(?:windows|winnt)\/(?:system(?:32|64)\/(?:drivers|config|inetsrv|logfiles|spool|tasks|wbem|winevt|[\w-]{1,32}\.\w)|system\.ini|win\.ini|repair|debug|panther|temp|php\.ini|my\.ini|syswow64|explorer)|\binetpub\/|^\s{0,4}\/?[a-z]:\/(?:windows|winnt|users\/(?:all users|public|default|administrator)|system volume information|recovery|perflogs|system32|home\d?|logs?|php[\d.]{0,6}|nginx[\w.-]{0,12}|program files)\/[^?#]{0,200}(?:\.\w{1,12}|\/)\s{0,4}$|(?:^|[\s"'=:])[a-z]:\/(?:windows\/[\w-]{1,32}\.\w|boot|inetpub|program ?files|programdata\/|(?:php|mysql|sysprep|apache\d?|nginx|tomcat[\d.]{0,4}|jboss)\/|xampp|wamp|documents and settings|autoexec|config\.sys|pagefile)/,
    ),
  },
  {
    ...base,
    id: 1004,
    title: "Hidden file that is asked for",
    places: ["path"],
    view: "path",
    find: matching(/(?:^|(?<!\/node_modules)\/)\.(?!well-known(?:\/|$))[a-z_][\w.-]{0,64}/),
  },
  {
    ...base,
    id: 1005,
    title: "File with secrets of an application",
    view: "path",
    find: matching(
      /(?:^|[/=\s"'])(?:\.git\/(?:config|head|index|objects|refs|logs|hooks|info)|\.svn\/(?:entries|wc\.db)|\.hg\/(?:store|hgrc)|\.ssh\/|\.aws\/|\.kube\/|\.docker\/|\.gnupg\/|\.ht(?:access|passwd|group)\b|web-inf\/|meta-inf\/)|(?:^|\/)(?:\.env(?:\.(?:local|prod\w{0,8}|dev\w{0,9}|staging|backup|bak|example))?|\.(?:bash|zsh|sh|mysql|psql|python|node_repl|rediscli|sqlite)?_?history|\.(?:npmrc|netrc|pgpass|my\.cnf|dockercfg|git-credentials|pypirc|boto|s3cfg|bashrc|bash_profile|profile|zshrc|viminfo|ds_store)|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.pub)?|wp-config\.php\S{0,8}|web\.config|authorized_keys|localsettings\.php|configuration\.php|parameters\.ya?ml|database\.ya?ml|secrets\.ya?ml|\.\w{1,16}_(?:history|profile|log(?:in|out)|aliases|cookies)|\.(?:bash|zsh|ksh|csh|tcsh|vim|nano|wget|curl|screen|pine|pear|gem|mail|input|yarn|babel|eslint)rc|\.(?:xauthority|lesshst|k5login|rhosts|shosts|forward|plan|vault_pass|fetchmailrc|muttrc|hplip|addressbook|google_authenticator|gitconfig|git(?:ignore|modules|attributes)|subversion|password-store|wgetrc|vnc|rsync\w{0,8}|pki|gnupg|config|mozilla|remmina|cvsignore))(?=$|[\s"'?&;/:%\0])/,
    ),
  },
  {
    ...base,
    id: 1006,
    title: "Log, backup or dump that is asked for",
    places: ["path"],
    view: "path",
    find: matching(
      /(?:^|\/)(?:[\w.-]{1,48}\.log|[\w.-]{1,48}\.(?:bak|old|orig|swp|swo|save|sql(?:\.gz|\.zip)?|sqlite3?|mdb|kdbx?|pem|key|pfx|p12|jks|htpasswd|inc)|[\w.-]{1,48}\.(?:php|aspx?|jspx?|env|ini|ya?ml|json|xml|conf|config|cfg)(?:~|\.(?:bak|old|orig|save|swp|txt|dist|tmp|\d)|_bak)|[\w.-]{1,48}\.(?:ini|conf|cfg|cnf|properties|tfstate|tfvars|ovpn|rdp|keystore|dist|lock|toml|user|csproj|sln|suo)|(?:config(?:uration)?|parameters|database|secrets?|services|routing|security|application[\w-]{0,16}|values|travis|appveyor|codecov|serverless|settings|docker[\w-]{0,16})\.ya?ml|(?:config|auth|credentials|ormconfig|nodemon|ecosystem|launchsettings|local\.settings)\.json|(?:config|build|server|web|context|ivy|app)\.xml|(?:bower_components|nbproject)\/[\w@./-]{0,200}|vendor\/(?:bin|composer|autoload)[\w./-]{0,80}|(?:backup|dump|database|db|www|site|web|htdocs|public_html|wwwroot)\.(?:zip|tar|tar\.gz|tgz|rar|7z|gz|sql)|(?:docker-compose|dockerfile|composer|vagrantfile|gemfile|procfile|jenkinsfile|makefile|rakefile|pipfile)(?:\.(?:ya?ml|json|lock))?|(?:package(?:-lock)?|bower|tsconfig|tslint|appsettings(?:\.\w{1,16})?|sftp-config|credentials|secrets?|mcp|firebase|serverless)\.json|(?:yarn|cargo|poetry|gemfile)\.lock|(?:gulpfile|gruntfile|webpack\.config|vite\.config|karma\.conf|ecosystem\.config)\.[cm]?[jt]s|requirements\.txt|pyproject\.toml|cargo\.toml|phpunit\.xml(?:\.dist)?|pom\.xml|build\.gradle|(?:claude|agents?|gemini|codex|cursor|cline|copilot[\w-]{0,16}|qwen|warp|replit|crush|windsurf|skill|conventions|(?:system[_-])?prompts?|memory|soul|instructions|(?:coding[_-])?rules|identity|heartbeat)(?:\.local)?\.md|(?:claude|cursor|copilot|opencode|codex|gemini|openai|anthropic|openclaw)[\w.-]{0,32}\.(?:json|toml|ya?ml)|(?:service[-_]account|gcp[-_]credentials|firebase-adminsdk|kubeconfig|google-services)[\w-]{0,24}(?:\.json)?|(?:config|configuration|settings|connection|database)\.(?:php|inc|py|rb)|[\w-]{1,24}\.tf|app\.dockerfile|actuator\/(?:env|heapdump|configprops|mappings|threaddump|logfile|trace|shutdown|jolokia\S{0,40})|cvs\/(?:entries|root|repository)|global\.asa|[\w.-]{1,40}\.axd|eval-stdin\.php|go\.(?:mod|sum)|(?:sftp|deployment[_-]?config)\.json|docker-compose[\w.-]{1,24}\.ya?ml|[\w-]{1,40}\.env(?:\.\w{1,16})?|mcp[\w.-]{0,16}\.json|(?:opencode|crush|cline_mcp_settings)\.json|aider[\w.-]{1,24}|[\w-]{1,40}\.mdc|memory-bank\/[\w-]{1,24}\.md|(?:access|error)[_-]log|thumbs\.db|desktop\.ini|wp-config[\w.-]{1,16}|config\.inc(?:\.php)?|(?:local)?settings\.(?:php|py)|web\.config|global\.asax|crossdomain\.bak|server-(?:status|info)|phpinfo\.php|info\.php|adminer[\w.-]{0,16}\.php)$/,
    ),
  },
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
  {
    ...base,
    id: 1009,
    title: "Configuration or log of a server",
    places: ["query", "body", "cookie"],
    view: "path",
    find: matching(serverFile),
  },
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
