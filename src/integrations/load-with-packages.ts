import { AntiphonError } from '../core/errors.ts'

/** Loads a module that needs optional packages. If one of them is not installed, the error says which, and what to run. */
export async function loadWithPackages<T>(
  who: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const missing = packages.find(name => isAbout(cause, name))
    if (missing === undefined) throw cause
    throw new AntiphonError('missing-package', `${who} needs the package ${missing}, which is not installed`, {
      hint: `run: npm install ${packages.join(' ')}`,
      cause,
    })
  }
}

/** Node, Bun and Deno quote the package; what a bundler has made of an import may quote the path in it. */
function isAbout(error: unknown, name: string): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
  return isMissing && [`'${name}'`, `'${name}/`, `"${name}"`].some(quoted => String(message).includes(quoted))
}
