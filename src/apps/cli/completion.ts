import { Argument, type Command } from 'commander'
import { codecs } from '../../codecs/index.ts'
import { dialects } from '../../core/dialects/index.ts'
import { pages } from '../../core/rules/pages.ts'
import { errorCodes } from './explain/error-codes.ts'

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description('Print a script that completes the commands and options of antiphon in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  source <(antiphon completion bash)           in ~/.bashrc
  source <(antiphon completion zsh)            in ~/.zshrc, after compinit
  antiphon completion fish > ~/.config/fish/completions/antiphon.fish

Exit codes: 0; 2 unknown shell.`,
    )
    .action((shell: 'bash' | 'zsh' | 'fish') => {
      process.stdout.write(scripts[shell](program.commands.map(completed)))
    })
}

interface CompletedOption {
  readonly flag: string
  readonly about: string
  /** What it takes, if that is one of a few values. */
  readonly values: readonly string[]
}

interface CompletedCommand {
  readonly name: string
  readonly summary: string
  /** Its subcommands, or the names that it takes. */
  readonly words: readonly string[]
  readonly options: readonly CompletedOption[]
}

function completed(command: Command): CompletedCommand {
  const all = [command, ...command.commands]
  const options = all.flatMap(({ options }) => options).filter(({ long }) => long !== undefined && long !== null)
  const unique = [...new Map(options.map(option => [option.long ?? '', option])).values()]
  return {
    name: command.name(),
    summary: command.summary(),
    words: words[command.name()]?.() ?? command.commands.map(one => one.name()),
    options: unique.map(({ long, flags, description, argChoices }) => ({
      flag: long ?? '',
      about: description,
      values: argChoices ?? values[long ?? ''] ?? (flags.endsWith('<format>') ? Object.keys(codecs) : []),
    })),
  }
}

const words: Readonly<Record<string, (() => readonly string[]) | undefined>> = {
  explain: () => [...Object.keys(pages), ...errorCodes().map(({ code }) => code)],
}

const values: Readonly<Record<string, readonly string[] | undefined>> = {
  '--for': Object.keys(dialects),
  '--pending': ['answer', 'keep'],
  '--orphans': ['revive', 'quote', 'drop'],
  '--repeats': ['keep', 'drop'],
}

/** Completes the values of an option that has known ones, options of the command after a dash, and otherwise subcommands and files. */
function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) options="${['--help', ...options.map(({ flag }) => flag)].join(' ')}"; words="${words.join(' ')}" ;;`,
  )
  return `_antiphon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" options="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${valueLines(commands, (option, names) => `    ${option}) COMPREPLY=($(compgen -W "${names}" -- "$current")); return ;;`)}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _antiphon antiphon
`
}

function zsh(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) options=(${['--help', ...options.map(({ flag }) => flag)].join(' ')}); words_=(${words.join(' ')}) ;;`,
  )
  return `#compdef antiphon
_antiphon() {
  local -a options words_ names
  if (( CURRENT == 2 )); then
    names=(${commands.map(({ name, summary }) => `'${name}:${summary.replaceAll("'", '').replaceAll(':', ',')}'`).join(' ')})
    _describe command names
    return
  fi
  case "\${words[2]} \${words[CURRENT-1]}" in
${valueLines(commands, (option, names) => `    ${option}) compadd -- ${names}; return ;;`)}
  esac
  case "\${words[2]}" in
${cases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then compadd -- $options; else compadd -- $words_; _files; fi
}
compdef _antiphon antiphon
`
}

function fish(commands: readonly CompletedCommand[]): string {
  const text = (words: string): string => `'${words.replaceAll('\\', '').replaceAll("'", "\\'")}'`
  const lines = commands.flatMap(({ name, summary, words, options }) => [
    `complete -c antiphon -n __fish_use_subcommand -a ${name} -d ${text(summary)}`,
    ...words.map(one => `complete -c antiphon -n '__fish_seen_subcommand_from ${name}' -a ${one}`),
    ...options.map(({ flag, about, values: names }) => {
      const known = names.length === 0 ? '' : ` -x -a ${text(names.join(' '))}`
      return `complete -c antiphon -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${text(about)}${known}`
    }),
  ])
  return `${lines.join('\n')}\n`
}

/** One line for each option with known values, together with its command: commands have options of the same name. */
const valueLines = (commands: readonly CompletedCommand[], line: (option: string, names: string) => string): string =>
  commands
    .flatMap(({ name, options }) =>
      options
        .filter(({ values: names }) => names.length > 0)
        .map(({ flag, values: names }) => line(`"${name} ${flag}"`, names.join(' '))),
    )
    .join('\n')

const scripts = { bash, zsh, fish }
