/**
 * The names by which a process can be recognised: its own name, its program file and its arguments. Paths stay paths.
 */
export function processNames(own: string, file: string, args: readonly string[]): string[] {
  const [first = ''] = args
  const names = [own, file, first].filter(name => name !== '')
  const script = names.some(name => isRuntime(programName(name))) ? scriptIn(args) : undefined
  return script === undefined ? names : [...names, script]
}

/** Whether a process has one of these names: of a program, of its package, or of a Python module. */
export const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
  names.some(name => {
    const path = name.replaceAll('\\', '/')
    const base = programName(path)
    const [module] = base.split('.')
    return wanted.some(one => base === one || module === one || path.includes(`/node_modules/${one}/`))
  })

/** The last segment of a path, without the extension of a program or a script. */
export const programName = (path: string): string =>
  (path.replaceAll('\\', '/').split('/').at(-1) ?? '').replace(/\.(exe|cmd|[cm]?[jt]s|py)$/i, '')

/** Runtimes: their arguments name the program that they run. */
const isRuntime = (name: string): boolean => /^(node|nodejs|bun|deno|python[\d.]*|pypy[\d.]*|dotnet)$/.test(name)

/** The script or module that a runtime runs. */
function scriptIn(args: readonly string[]): string | undefined {
  for (let at = 1; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-m') return args[at + 1]
    if (/^(-[cep]|--(eval|print))$/.test(arg)) return undefined
    if (withValue.test(arg)) at++
    else if (!arg.startsWith('-') && arg !== 'run' && arg !== 'exec') return arg
  }
  return undefined
}

/** Options that take the next argument as their value. */
const withValue = /^(-[rCWX]|--(require|import|loader|experimental-loader|conditions|env-file|cwd))$/
