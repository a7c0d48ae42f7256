import { type Mutant, swap } from './mutant.ts'

type Fault = readonly [name: string, ...pairs: (readonly [find: string, replace: string])[]]

const mutantsOf = (file: string, killers: readonly string[], faults: readonly Fault[]): readonly Mutant[] =>
  faults.map(([name, ...pairs]) => ({
    ...{ group: 'doctor', name: `${file.split('/').at(-1)}: ${name}`, file, killers },
    change: swap(...pairs),
  }))

/** How the doctor and `heal --write` write: a file is replaced whole or not at all, and what was there can come back. */
export const doctorMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/doctor/files/replace-file.ts',
    ['test/apps/cli/write.test.ts'],
    [
      ['does not look whether the file changed', ['if (!readRegularFile(path).equals(before))', 'if (path === "")']],
      ['replaces a link by a file', ['lstatSync(file).isSymbolicLink() ? realpathSync(file) : file', 'file']],
      ['replaces what is not a regular file', ['if (!stat.isFile()) throw', 'if (path === "") throw']],
      ['does not keep the rights of the file', ['fchmodSync(handle, mode & 0o7777)', '']],
      [
        'overwrites an earlier backup',
        ["if ((error as { code?: string }).code !== 'EEXIST') throw error\n    }", 'return backup\n    }'],
      ],
      ['writes into the file itself', ['renameSync(draft, path)', 'copyFileSync(draft, path)']],
      ['leaves its draft after a failure', ['if (draft !== undefined) rmSync(draft, { force: true })', '']],
    ],
  ),
  ...mutantsOf(
    'src/doctor/files/swap-file.ts',
    ['test/doctor/doctor.test.ts'],
    [
      [
        'does not look whether a program wrote in the last moment',
        ['if (!isSameFile(fingerprint(old), before)) throw', 'if (old === "") throw'],
      ],
      ['does not give the file back', ['renameSync(old, path)', '']],
    ],
  ),
]
