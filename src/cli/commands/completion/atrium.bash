# Completions of atrium for bash, from 3.2 on: without mapfile and negative indexes, and compopt only where it is there.
_atrium() {
  local words word last line kind start i
  words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    last=$((${#words[@]} - 1))
    # bash parts words at = and :, which belong to them here.
    if ((last >= 0)) && [[ $word == [=:]* || ${words[last]} == *[=:] ]]; then
      words[last]+=$word
    else
      words+=("$word")
    fi
  done
  last=$((${#words[@]} - 1))
  start=${words[last]%"${words[last]##*[=:]}"}
  kind=
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("${word#"$start"}")
  done < <("${1/#\~/$HOME}" completion bash -- "${words[@]}" 2>/dev/null)
  word=${words[last]#"$start"}
  if [[ $kind == files ]]; then
    compopt -o default 2>/dev/null ||
      while IFS= read -r line; do COMPREPLY+=("$(printf %q "$line")"); done < <(compgen -f -- "$word")
  elif [[ $kind == folders ]]; then
    compopt -o dirnames 2>/dev/null ||
      while IFS= read -r line; do COMPREPLY+=("$(printf %q "$line")"); done < <(compgen -d -- "$word")
  fi
}
complete -F _atrium atrium
