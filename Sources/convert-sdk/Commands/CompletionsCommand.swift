/// `convert-sdk completions`.
struct CompletionsCommand: Command {
    static let declaration = CommandDeclaration(
        name: "completions", summary: "print a completion script for a shell",
        discussion: "Prints a script that makes the shell complete commands, options, files and the names in a config.",
        operands: .choice(Shell.self, "the shell"),
        remarks: """
            bash: put  source <(convert-sdk completions bash)  into ~/.bashrc
            zsh:  put  source <(convert-sdk completions zsh)  into ~/.zshrc, after compinit
            fish: convert-sdk completions fish > ~/.config/fish/completions/convert-sdk.fish
            """)

    private enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    private let shell: Shell

    init(_ arguments: Arguments) throws {
        shell = try Arguments.choice(arguments.operands.first ?? "", for: "completions", of: Shell.self)
    }

    func run() -> ExitCode {
        switch shell {
        case .bash: Console.print(Self.bash)
        case .zsh: Console.print(Self.zsh)
        case .fish: Console.print(Self.fish)
        }
        return .done
    }

    /// Bash splits words at each `=`, so they are joined again. Bash replaces only the text after the last `=`.
    private static let bash: ConsoleText = """
        _convert_sdk() {
            local words=() index last=-1 line
            for ((index = 1; index <= COMP_CWORD; index++)); do
                if [[ $last -ge 0 && (${COMP_WORDS[index]} == = || ${COMP_WORDS[index - 1]} == =) ]]; then
                    words[last]+=${COMP_WORDS[index]}
                else
                    words[++last]=${COMP_WORDS[index]}
                fi
            done
            local behind=
            [[ ${words[last]} == *=* ]] && behind=${words[last]%=*}=
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == \(Completer.files) ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r line; do
                        COMPREPLY+=("$line")
                    done < <(compgen -f -- "${words[last]#"$behind"}")
                else
                    line=${line%%$'\\t'*}
                    COMPREPLY+=("$(printf %q "${line#"$behind"}")")
                fi
            done < <("${COMP_WORDS[0]}" \(Completer.name) "${words[@]}" 2>/dev/null)
        }
        complete -F _convert_sdk convert-sdk
        """

    private static let zsh: ConsoleText = """
        #compdef convert-sdk
        _convert_sdk() {
            local line
            local -a lines candidates
            lines=("${(@f)$("${words[1]}" \(Completer.name) "${(@)words[2,CURRENT]}" 2>/dev/null)}")
            if [[ ${lines[1]} == \(Completer.files) ]]; then
                [[ $PREFIX == --*=* ]] && compset -P '*='
                _files
                return
            fi
            for line in "${lines[@]}"; do
                [[ -n $line ]] || continue
                candidates+=("${${line%%$'\\t'*}//:/\\\\:}${${(M)line:#*$'\\t'*}:+:${line#*$'\\t'}}")
            done
            _describe 'convert-sdk' candidates
        }
        compdef _convert_sdk convert-sdk
        """

    private static let fish: ConsoleText = """
        function __convert_sdk_complete
            set -l words (commandline -opc) (commandline -ct)
            set -l lines ($words[1] \(Completer.name) $words[2..-1] 2>/dev/null)
            if test "$lines[1]" = \(Completer.files)
                __fish_complete_path (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))
            else if set -q lines[1]
                printf '%s\\n' $lines
            end
        end
        complete -c convert-sdk -f -a '(__convert_sdk_complete)'
        """
}
