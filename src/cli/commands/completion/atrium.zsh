#compdef atrium
# Completions of atrium for zsh.
_atrium() {
  local line program=${(Q)words[1]}
  local -a lines candidates
  lines=("${(@f)$("${program/#\~/$HOME}" completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
    files) _files ;;
    folders) _files -/ ;;
    *)
      for line in "${(@)lines[2,-1]}"; do
        candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
      done
      _describe atrium candidates
      ;;
  esac
}
if [[ $funcstack[1] == _atrium ]]; then
  _atrium "$@"
else
  compdef _atrium atrium
fi
