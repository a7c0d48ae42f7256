/** What a process is known by, from its own name, its program file and its arguments. Paths stay paths. */
export function processNames(own: string, file: string, args: readonly string[]): string[] {
  const [first = ''] = args
  const names = [own, file, first].filter(name => name !== '')
  const script = names.some(name => isRuntime(baseName(name))) ? scriptIn(args) : undefined
  return script === undefined ? names : [...names, script]
}

/** Whether a process is known by one of these names: of a program, of the package that it comes in, or of a Python module. */
export const isNamed = (names: readonly string[], wanted: readonly string[]): boolean =>
  names.some(name => {
    const path = name.replaceAll('\\', '/')
    const base = baseName(path)
    const [module] = base.split('.')
    return wanted.some(one => base === one || module === one || path.includes(`/node_modules/${one}/`))
  })

/** The last name of a path, without the ending of a program or a script. */
export const baseName = (path: string): string =>
  (path.replaceAll('\\', '/').split('/').at(-1) ?? '').replace(/\.(exe|cmd|[cm]?[jt]s|py)$/i, '')

/** Programs that run programs: which one, their arguments say. */
const isRuntime = (name: string): boolean => /^(node|nodejs|bun|deno|python[\d.]*|pypy[\d.]*|dotnet)$/.test(name)

/** The script or module that a runtime was told to run. */
function scriptIn(args: readonly string[]): string | undefined {
  for (let at = 1; at < args.length; at++) {
    const arg = args[at]
    if (arg === '-m') return args[at + 1]
    if (/^(-[cep]|--(eval|print))$/.test(arg)) return undefined
    if (withValue.test(arg)) at++
    else if (!arg.startsWith('-') && arg !== 'run' && arg !== 'exec') return arg
  }
  return undefined
}

/** Options whose value is an argument of its own. */
const withValue = /^(-[rCWX]|--(require|import|loader|experimental-loader|conditions|env-file|cwd))$/
