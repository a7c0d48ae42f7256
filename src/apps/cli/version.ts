import { readFileSync } from 'node:fs'
import { packageFile } from './package-file.ts'

/** The version of the package. */
export const { version }: { readonly version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
