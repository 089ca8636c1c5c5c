import { wordSet, words } from "../words.ts";

/**
 * How readily a word is a command when it stands where a shell expects one. `telling`: nobody writes it but to run it, alone
 * is enough. `tool`: known by its name, counts with arguments. `shell`: a language or shell, as often talked about as
 * run. `plain`: a word of English too, counts with arguments that no sentence has.
 */
export type WordKind = "telling" | "tool" | "shell" | "plain";

/** Programs of POSIX, GNU, BusyBox, macOS and Windows, of packages and of configuration; built-ins and aliases of shells. */
const lists: readonly (readonly [WordKind, string])[] = [
  [
    "plain",
    `
    which cat find head tail more less sort cut date echo sleep time test kill host type copy move del start net top make paste join
    watch touch file history export source trap cd man nice at who w dir set unset alias command timeout read pr fold look
    rename ren tree cal where ver format print call for if while until function return exit logout shutdown reboot halt service
    write wall finger users groups local let declare column install link links patch script spell view replace label pause title
    path prompt clip open say eject jobs wait get fg bg true false break shift chain red task security defaults fuse compress
    disown mode recover extract convert change query reset dialog highlight color compare diff foreach code codex hash genie
    forge john joe socket tabs rendered packer vault ranger last lex bridge byebug alpine crash tex tic ul rc pic sync seq yes
    factor truncate logger talk cancel batch verifier measure expr choice unlink
    `,
  ],
  [
    "shell",
    `
    vi vim nano emacs ex sh bash cmd cmd.exe powershell.exe python python2 python3 perl php php5 php7 php8 ruby node nodejs lua
    tclsh java javac go deno bun osascript expect nvim pico elvish jjs rustc kotlin swift nim zig
    `,
  ],
  [
    "tool",
    `
    vol strip as tac expand ed curl wget fetch nc netcat telnet ssh ftp dig ping rm cp mv ln mkdir rmdir grep awk sed od strings
    base64 base32 openssl tar gzip unzip bzip2 xz dd nft ufw passwd setsid nohup sudo su doas apt yum dnf rpm dpkg pacman apk
    snap brew npm npx pip pip3 pipx gem docker podman helm terraform vagrant knife puppet salt toybox nl rev realpath dirname
    basename xargs tee mysql psql sqlite3 mongo redis-cli gcc g++ cc ldd nm printf eval exec mail sendmail mutt tmux screen stty
    mkfs mount umount df du stat jq yq ip route whois aws gcloud az svn git hg wc cmp comm shred split powershell pwsh msbuild
    findstr reg sc hh perf irb rake gal gc gi gm gp gsv gu gv ri rni rp rv sal sl sls sp sv ni ii ihy ghy gl gdr iex iwr irm ogv
    oh ft fl fw clc cli clp cpi mi dash fish ash tcsh csh ksh zsh pdksh axel lynx w3m elinks flock shuf uniq csplit iconv hd pax
    cpio ar unrar 7z 7za lzma zstd tbl troff nroff groff pandoc latexmk gimp ghc octave guile ocaml erl elixir scala tput logoff
    chage chsh newgrp nmcli mtr drill virsh lxc lxd emerge conda pipenv poetry yarn pnpm composer cpan cargo dotnet mvn gradle
    sbt bundle pry mariadb sqlcmd bcp mongosh influx consul nginx httpd sshd crond mesg rsh lpr lpstat espeak konsole gedit
    nautilus wsl subst compact defrag cipher sfc w32tm waitfor md rd erase csc jsc mmc vbc wab control.exe locate apropos
    whereis parted ac clv cls cpp dbp ebp epal fc fhx gbp gcb gcs gerr gin gmo gpv group gsn gtz inmo ipal ipsn ise lp mp nal
    ndr nmo nv rbp rcjb rdr rnp rsn rsnp rujb rvpa rwmi sbp scb spjb stz sujb wjb comp ab acr agetty aspell autoconf bc cabal
    certbot cmake cksum cobc cowsay ctags dc dnsmasq docker-compose efax enscript eqn exiftool fakeroot ffmpeg fmt fsck fuser
    fzf gawk gnuplot hashcat hydra ionice ispell lastb ldapsearch logrotate luatex m4 mailx mailq mailutil masscan minicom mosh
    mosquitto mypy nasm ncdu neofetch netcfg nikto ngrok opencode openvpn pdb plymouth pmap poweroff procmail ptx pulumi qpdf
    rclone redis renice restic rmt rsyslogd rustup sash scrot sdiff sg slsh sqlmap ss svc swapon tailscale tor torify torsocks
    tsc tset ulimit umask unalias unexpand uv valgrind vconfig wish xpad yash yacc yelp yt-dlp zathura zic zip zless rem goto
    chdir tzutil msg mstsc msinfo32 excel outlook powerpnt winword visio wt xsd csi cdb fsi c89 c99 rbash ld.so links2 base58
    start-stop-daemon run-parts update-alternatives dispdiag kubectl ansible chef busybox
    `,
  ],
  [
    "telling",
    `
    groupadd attrib spsv arp arping id runas ncat socat tftp scp sftp rsync nslookup ping6 traceroute tracert tracepath nmap
    tcpdump chmod chown chgrp chattr egrep fgrep zgrep mawk nawk xxd hexdump basenc gunzip zcat bzcat xzcat mkfifo mknod crontab
    systemctl journalctl initctl killall pkill pgrep iptables useradd usermod userdel adduser deluser groupmod chpasswd gpasswd
    chroot setarch unshare nsenter pkexec aptitude cscli readlink mysqldump gdb strace ltrace objdump readelf fdisk lsattr
    sysctl modprobe insmod lsmod rmmod depmod ifup ifdown hping3 uuencode uudecode sha1sum sha256sum sha512sum md5sum b2sum lsof
    getent bitsadmin certutil wmic taskkill rundll32 regsvr32 regsvcs regasm installutil mshta cscript wscript schtasks icacls
    cacls vssadmin bcdedit bcdboot netsh nbtstat cmdkey diskpart forfiles pcalua msiexec odbcconf robocopy xcopy takeown dsquery
    nltest gpresult driverquery fsutil esentutl makecab extrac32 wevtutil ethtool tshark sqlplus pg_dump pg_dumpall pg_restore
    mongodump mysqladmin mysqlimport lftp ncftp sshpass smbclient rpcclient aria2c gcore taskset choom chrt cpulimit bsdtar
    pdflatex lualatex julia sbcl jshell jrunscript ghci vmstat getfacl setfacl setcap getcap runuser vipw localectl ifquery
    iwconfig fping wireshark iftop conntrack ipset ebtables firewall-cmd dhclient delv lsns crictl ctr buildah skopeo rpmquery
    zypper opkg pkg_add easy_install bundler etcdctl rabbitmqctl varnishncsa apache2ctl apachectl atq atrm ntalk rlogin rexec
    xdg-open xdotool xclip xterm gnome-terminal pathping tskill winrm winrs mklink ftype chkntfs doskey eventcreate fltmc
    gpupdate klist ksetup logman lodctr unlodctr mountvol openfiles pnputil powercfg reagentc regini regedit relog rpcping
    secedit setx slmgr tpmtool tracerpt typeperf wbadmin wecutil winsat wusa cmstp diskshadow dnscmd extexport ieexec
    infdefaultinstall mavinject mpcmdrun msdt presentationhost psexec procdump rasautou runonce scriptrunner tttracer verclsid
    xwizard syncappvpublishingserver updatedb mlocate stdbuf unbuffer fallocate losetup swapoff blkid partprobe mkswap badblocks
    tune2fs debugfs hdparm smartctl auditpol bootcfg certreq diantz dcdiag djoin dsadd dsget dsmod dsrm ldifde manage-bde
    nfsstat ntdsutil repadmin netdom qappsrv rwinsta tscon tsdiscon wdsutil ktpass launchctl dscl diskutil hdiutil pbcopy
    pbpaste screencapture sw_vers system_profiler networksetup scutil spctl csrutil plutil codesign mdfind mdls dscacheutil
    kextload dtrace bunzip2 unxz unlzma unzstd zstdcat lzcat lz4cat bzless xzless dmidecode dmsetup facter ldconfig msfconsole
    mimikatz msfvenom crackmapexec gobuster ffuf wfuzz proxychains chisel rpcinfo showmount snmpwalk pidof pidstat pstree pmset
    ioreg ifplugd ipcalc ipcrm ipcs iostat mpstat dstat lspci lsipc lslocks lslogins lsmem lscpu nproc pivot_root setpriv
    slattach sulogin switch_root syslogd telnetd tftpd udhcpc watchdog hwclock findmnt findfs mke2fs mkdosfs resize2fs e2fsck
    pvcreate vgcreate lvcreate zpool btrfs getenforce setenforce semanage restorecon auditctl ausearch aureport apparmor_status
    chcon runcon visudo vigr grpck pwck newusers lastlog faillog sshfs sshuttle autossh lwp-download lwp-request perldoc perlbug
    phpize phpdbg pecl wp-cli artisan drush rustdoc rustfmt bpftrace gdbserver pwdx slabtop numactl schedtool cgexec cgcreate
    machinectl networkctl bootctl coredumpctl portablectl nomad terragrunt salt-call salt-ssh cf-agent juju minikube kubeadm
    kubelet istioctl argocd flux eksctl doctl addinutil atbroker certoc cmdl32 colorcpl computerdefaults configsecuritypolicy
    conhost customshellhost datasvcutil desktopimgdownldr devicecredentialdeployment dfsvc eudcedit eventvwr gpscript imewdbld
    ie4uinit iediagcmd ilasm iscsicpl mofcomp msconfig msedge msoxmled ngen offlinescannershell onedrivestandaloneupdater pcwrun
    pktmon printbrm provlaunch rdrleakdiag runexehelper runscripthelper setres settingsynchost sigverif stordiag ttdinject
    unregmp2 wbemtest winget wlrmdr workfolders wsreset wuauclt acccheckconsole adplus agentexecutor appcert appvlp bginfo
    coregen createdump defaultpack devinit devtoolslauncher dsdbutil dtutil dump64 dumpminitool dxcap fsianycpu mftrace mpiexec
    msaccess msdeploy msxsl nmcap ntsd openconsole pixtool protocolhandler rcsi sqldumper sqlps squirrel vsjitdebugger vshadow
    windbg winproj xbootmgr devtunnels perfmon sxstrace tapicfg tlntadmn wlbs whoami ifconfig ipconfig uname netstat printenv
    systeminfo tasklist lsusb lsblk dmesg htop ls pwd ps env hostname uptime logname tty quser qwinsta gci gcm gps gwmi iwmi
    swmi icm sajb gjb rjb epcsv ipcsv gsnp asnp ipmo rmo npssc nsn etsn exsn rcsn shcm trcm saps spps sasv cnsn dnsn epsn clhy
    cvpa chef-shell ansible-console mktemp getmac qprocess popd pushd assoc chcp chkdsk lsb_release iptables-save loginctl
    hostnamectl timedatectl busctl resolvectl capsh lastlogin
    `,
  ],
];

const kinds: ReadonlyMap<string, WordKind> = new Map(
  lists.flatMap(([kind, list]) => words(list).map((word): [string, WordKind] => [word, kind])),
);

/** Programs that come in dozens under the name of one. */
const family = /^(?:ansible|apt|chef|deb|docker|dpkg|kube|pg|salt|ssh|systemd|xdg)-[a-z][a-z-]{1,16}$/;

/** Which kind of command a word is; `undefined` for what is none. */
export const kindOfCommand = (word: string): WordKind | undefined =>
  kinds.get(word) ?? (word.includes("-") && family.test(word) ? "telling" : undefined);

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
  ).flatMap(([programs, told]) =>
    words(programs).map((program): [string, ReadonlySet<string>] => [program, wordSet(told)]),
  ),
);

/** Whether what follows a program's word begins with one of the things it can be told to do. */
export const isSubcommand = (word: string, rest: string): boolean => {
  const told = /^\s+([\w-]{1,16})(?=\s|$)/.exec(rest)?.[1] ?? "";
  return subcommands.get(word)?.has(told) ?? false;
};

/** Words that run the word behind them. */
export const runnerWords = wordSet(`
  sudo doas su time nohup env exec eval command builtin nice timeout setsid xargs trap then do else busybox toybox unbuffer
  stdbuf ionice
`);

/** Words that stand in sentences and in no command. */
export const proseWords = wordSet(`
  a an the is are was were be been am and or but not to of in on for from with without at by as it its this that these those i you he she we they me him her us them my your his our their
  has have had can could will would shall should may might must do does did if then than so very too also just only when where while because about into over up out all any some no more most
  again how what who which why der die das und oder ist ein eine mit von für le la les de des et un une est el los que y en il di e per com o os para
`);
