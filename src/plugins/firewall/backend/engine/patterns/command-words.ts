/**
 * How readily a word is a command when it stands where a shell expects one. `telling`: nobody writes it but to run it, alone
 * is enough. `tool`: known by its name, counts with arguments. `shell`: a language or shell, as often talked about as
 * run. `plain`: a word of English too, counts with arguments that no sentence has.
 */
export type WordKind = "telling" | "tool" | "shell" | "plain";

const telling =
  "whoami ifconfig ipconfig uname netstat printenv systeminfo tasklist lscpu lsusb lsblk lsof dmesg getent htop " +
  "ls pwd ps id env hostname uptime arp lastlog logname tty nproc visudo chef-shell ansible-console quser qwinsta " +
  "gci gcm gps gwmi iwmi swmi icm sajb gjb rjb epcsv ipcsv gsnp asnp ipmo rmo npssc nsn etsn exsn rcsn shcm trcm saps spps sasv spsv chmod chown mkfifo pwd " +
  "ping6 traceroute tracert tracepath nslookup mkfifo mknod mktemp chattr lsattr pkexec nsenter unshare lsmod insmod modprobe blkid partprobe tcpdump useradd userdel usermod adduser groupadd " +
  "chpasswd gpasswd crontab systemctl journalctl initctl killall pkill pgrep iptables hping3 arping ifup ifdown iwconfig dhclient certutil bitsadmin wmic taskkill rundll32 regsvr32 regsvcs regasm installutil mshta schtasks " +
  "icacls cacls vssadmin bcdedit bcdboot netsh nbtstat cmdkey diskpart forfiles pcalua msiexec odbcconf takeown dsquery nltest gpresult driverquery fsutil esentutl makecab extrac32 wevtutil pathping getmac qprocess tskill winrm winrs " +
  "mklink assoc ftype chcp chkdsk doskey eventcreate fltmc gpupdate klist ksetup logman lodctr mountvol openfiles pnputil powercfg reagentc regini regedit relog rpcping secedit setx slmgr typeperf wbadmin wecutil winsat popd pushd " +
  "cmstp diskshadow dnscmd extexport ieexec infdefaultinstall mavinject mpcmdrun msdt psexec procdump rasautou runonce scriptrunner syncappvpublishingserver tttracer verclsid xwizard cscript wscript robocopy xcopy runas attrib " +
  "ansible-playbook ansible-galaxy ansible-inventory ansible-vault ansible-doc chef-run chef-client chef-vault chef-solo cscli updatedb mlocate rlogin rexec setcap getcap capsh loginctl hostnamectl timedatectl busctl resolvectl";

const tool =
  "curl wget fetch nc ncat netcat socat telnet ssh scp sftp ftp tftp rsync nslookup dig ping ping6 traceroute tracert " +
  "tracepath nmap tcpdump chmod chown chgrp chattr rm cp mv ln mkdir rmdir egrep fgrep grep zgrep awk gawk mawk nawk sed " +
  "xxd hexdump od strings base64 base32 basenc openssl tar gzip gunzip zcat bzip2 bzcat xz xzcat unzip dd mkfifo mknod mktemp " +
  "crontab systemctl journalctl initctl killall pkill pgrep iptables nft ufw useradd usermod userdel adduser deluser groupadd passwd chpasswd " +
  "chroot setarch unshare nsenter setsid nohup sudo su doas pkexec apt apt-get aptitude yum dnf rpm dpkg pacman apk snap brew " +
  "npm npx pip pip3 pipx gem docker kubectl podman helm terraform vagrant ansible ansible-playbook ansible-galaxy ansible-inventory ansible-vault ansible-doc " +
  "chef-run chef-client chef-vault chef-solo knife puppet salt cscli busybox toybox tac nl rev readlink realpath dirname basename " +
  "xargs tee mysql mysqldump psql sqlite3 mongo redis-cli gcc g++ cc c89 c99 gdb strace ltrace ldd objdump nm printf eval exec " +
  "mail sendmail mutt tmux screen stty fdisk mkfs mount umount df du lsattr stat jq yq sysctl modprobe insmod lsmod " +
  "ip route ifup ifdown hping3 arping whois aws gcloud az svn git hg base58 uuencode uudecode sha256sum md5sum wc cmp comm shred split " +
  "powershell pwsh certutil bitsadmin wmic taskkill rundll32 regsvr32 regsvcs regasm installutil msbuild mshta cscript wscript schtasks findstr reg " +
  "icacls cacls attrib vssadmin bcdedit bcdboot netsh nbtstat cmdkey diskpart forfiles pcalua msiexec odbcconf " +
  "sc query robocopy xcopy takeown runas dsquery nltest gpresult driverquery fsutil esentutl expand makecab extrac32 hh wevtutil " +
  "perf irb rake gal gc gi gm gp gsv gu gv ri rni rp rv sal sl sls sp sv ni ii ihy ghy gl gdr iex iwr irm ogv oh ft fl fw clc cli clp cpi mi measure dash fish ash tcsh csh ksh zsh pdksh rbash ld.so aria2c axel lynx w3m links2 elinks lftp ncftp smbclient rpcclient sshpass ssh-keygen " +
  "ssh-agent ssh-keyscan start-stop-daemon run-parts update-alternatives flock taskset choom chrt cpulimit shuf uniq csplit iconv strace gcore readelf hd pax cpio " +
  "ar bsdtar unrar 7z 7za lzma zstd rev tbl troff nroff groff pandoc pdflatex latexmk lualatex gimp ghc ghci julia octave guile sbcl ocaml erl elixir iex scala jshell jjs jrunscript lwp-download lwp-request vmstat tput expr choice tclsh wish logoff " +
  "getfacl setfacl setcap getcap capsh runuser newgrp chsh chage vipw loginctl hostnamectl timedatectl localectl busctl resolvectl systemd-run " +
  "ifquery ethtool iwconfig nmcli mtr fping tshark wireshark iftop conntrack ipset ebtables firewall-cmd dhclient delv drill lsns crictl ctr buildah skopeo virsh lxc lxd " +
  "rpmquery zypper opkg emerge apk pkg_add easy_install conda pipenv poetry yarn pnpm composer cpan cargo rustc dotnet mvn gradle sbt bundle bundler pry " +
  "mysqladmin mysqlimport mariadb pg_dump pg_dumpall sqlplus sqlcmd bcp mongodump mongosh influx etcdctl consul rabbitmqctl varnishncsa apache2ctl apachectl nginx httpd sshd crond atq atrm batch " +
  "logger wall mesg talk ntalk rlogin rsh rexec finger lpr lpstat cancel espeak xdg-open xdotool xclip xterm gnome-terminal konsole gedit nautilus " +
  "pathping getmac qprocess tskill winrm winrs wsl subst mklink assoc ftype chcp chkdsk cipher compact defrag doskey dispdiag eventcreate fltmc gpupdate klist ksetup logman lodctr makecab mountvol " +
  "openfiles pnputil powercfg reagentc regini regedit relog rpcping secedit setx sfc slmgr tpmtool tracerpt typeperf verifier vol w32tm waitfor wbadmin wecutil winsat wusa md rd erase popd pushd " +
  "cmstp control.exe csc diskshadow dnscmd extexport ieexec infdefaultinstall jsc mavinject mmc mpcmdrun msdt presentationhost psexec procdump rasautou runonce scriptrunner syncappvpublishingserver tttracer vbc verclsid wab xwizard " +
  "whereis locate updatedb mlocate apropos stdbuf unbuffer yes seq factor truncate fallocate sync losetup swapoff blkid partprobe parted mkswap badblocks tune2fs debugfs hdparm smartctl";

const shell =
  "vi vim nano emacs ed ex sh bash cmd cmd.exe powershell.exe python python2 python3 perl php php5 php7 php8 ruby node nodejs lua tclsh java javac go deno bun osascript expect";

const plain =
  "cat find head tail more less sort cut date echo sleep time test kill host type copy move del start net top last make paste join watch touch " +
  "file history export source trap cd man nice at who w dir set unset alias command timeout read pr fold look rename ren tree cal " +
  "where ver vol format find print call for if while until function return exit logout shutdown reboot halt service write wall finger users groups local let declare";

/** Which kind of command a word is; `undefined` for what is none. */
export const commandWords: ReadonlyMap<string, WordKind> = new Map([
  ...wordsOf(plain, "plain"),
  ...wordsOf(shell, "shell"),
  ...wordsOf(tool, "tool"),
  ...wordsOf(telling, "telling"),
]);

/** What some programs are told to do: a word behind them that makes a command of the two. */
const subcommands: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ["git", "clone pull push init config fetch log status checkout remote show diff"],
      ["docker podman", "run exec ps pull build rm rmi images compose inspect logs cp kill stop start"],
      ["kubectl", "get exec apply delete describe logs create run cp port-forward config"],
      [
        "npm pnpm yarn pip pip3 gem apt apt-get yum dnf brew apk snap cargo composer",
        "install i add remove uninstall update upgrade list run exec ci download",
      ],
      ["ip", "a addr link route r l neigh n rule netns"],
      ["systemctl", "start stop restart status enable disable list-units daemon-reload"],
      ["aws", "s3 ec2 iam sts configure lambda secretsmanager"],
      ["gcloud", "auth compute projects config secrets"],
      ["az", "login account vm ad keyvault"],
      ["terraform helm", "apply init destroy plan output state install list"],
      ["reg", "query add delete save export import"],
      [
        "wmic",
        "os process qfe useraccount service logicaldisk cpu bios computersystem product startup group share",
      ],
      ["sc", "query create start stop delete config"],
    ] as const
  ).flatMap(([programs, words]) =>
    programs.split(" ").map((program): [string, ReadonlySet<string>] => [program, new Set(words.split(" "))]),
  ),
);

/** Whether what follows a program's word begins with one of the things it can be told to do. */
export const isSubcommand = (word: string, rest: string): boolean => {
  const told = /^\s+([\w-]{1,16})(?=\s|$)/.exec(rest)?.[1] ?? "";
  return subcommands.get(word)?.has(told) ?? false;
};

/** Words that run the word behind them. */
export const runnerWords: ReadonlySet<string> = new Set(
  "sudo doas su time nohup env exec eval command builtin nice timeout setsid xargs trap then do else busybox toybox unbuffer stdbuf ionice".split(
    " ",
  ),
);

/** Words that stand in sentences and in no command. */
export const proseWords: ReadonlySet<string> = new Set(
  (
    "a an the is are was were be been am and or but not to of in on for from with without at by as it its this that these those i you he she we they me him her us them my your his our their " +
    "has have had can could will would shall should may might must do does did if then than so very too also just only when where while because about into over up out all any some no more most " +
    "again how what who which why der die das und oder ist ein eine mit von für le la les de des et un une est el los que y en il di e per com o os para"
  ).split(" "),
);

function wordsOf(list: string, kind: WordKind): [string, WordKind][] {
  return list.split(" ").map((word) => [word, kind]);
}
