import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../..')

export interface BundleOptions {
  readonly alias?: Readonly<Record<string, string>>
  /** Whether modules of Node may be left in it, for the flag `nodejs_compat`. */
  readonly usesNode?: boolean
}

/** A worker as one module, from a file of this repository. */
export async function bundleWorker(
  file: string,
  { alias = {}, usesNode = false }: BundleOptions = {},
): Promise<string> {
  const bundle = await rolldown({
    input: join(root, file),
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'import', 'module', 'default'], alias },
    external: [/^cloudflare:/, /^node:/],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  const [chunk] = output
  const foreign = [...chunk.imports, ...chunk.dynamicImports].filter(
    // What is imported later is in the module itself.
    name => !name.startsWith('cloudflare:') && name !== chunk.fileName,
  )
  if (foreign.length > 0 && !usesNode) throw new Error(`${file} loads ${foreign}, which a worker does not have`)
  return chunk.code
}
