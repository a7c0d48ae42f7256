import { readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'

const tarball = new Uint8Array(await readFile(process.argv[2]))
const { problems } = await checkPackage(createPackageFromTarballData(tarball))
const { messages } = await publint({ pack: { tarball: tarball.buffer } })
const types = problems.map(({ kind, entrypoint, resolutionKind }) => [kind, entrypoint, resolutionKind].join(' '))
const manifest = messages.map(({ code, path }) => `${code} ${path.join('.')}`)
console.log(JSON.stringify({ types, manifest }))
