import { readFileSync } from 'node:fs'

/** A file of the package. It has the same path relative to `dist` and to `src`. */
export const packageFile = (name: string): URL =>
  new URL(import.meta.url.endsWith('.ts') ? `../../../${name}` : `../${name}`, import.meta.url)

/** The version of the package. */
export const { version }: { readonly version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
