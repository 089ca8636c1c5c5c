# Completions of atrium for fish.
function __atrium_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] completion fish -- $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current" ''
        case '*'
            if test (count $lines) -gt 1
                printf '%s\n' $lines[2..-1]
            end
    end
end
complete --command atrium --no-files --arguments '(__atrium_complete)'
