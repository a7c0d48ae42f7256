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
      ['replaces what is no regular file', ['if (!stat.isFile()) throw', 'if (path === "") throw']],
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
    ['test/doctor/doctor.test.ts', 'test/doctor/live.test.ts', 'test/doctor/full-disk.test.ts'],
    [
      [
        'does not look whether the file changed',
        ['if (!isSameFile(fingerprint(path), before)) throw', 'if (path === "") throw'],
      ],
      [
        'does not look whether a program wrote in the last moment',
        ['.size !== before.size) throw', '.size < 0n) throw'],
      ],
      ['does not give the file back', ['renameSync(old, path)', '']],
      ['does not look who has the file open at last', ['last?.(old)', '']],
      ['replaces a link by a file', ['const path = realpathSync(file)', 'const path = file']],
      ['does not keep the rights of the file', ['fchmodSync(handle, mode & 0o7777)', '']],
      ['leaves its draft after a failure', ['if (draft !== undefined) rmSync(draft, { force: true })', '']],
    ],
  ),
  ...mutantsOf(
    'src/doctor/backup/backup.ts',
    ['test/doctor/doctor.test.ts', 'test/doctor/backup.test.ts'],
    [
      ['does not read its copy again', ['if (sha256 !== hashFile(path))', 'if (sha256 === "")']],
      [
        'is removed though the store is not what it was',
        ['if (isComplete && !files.every(isAsKept)) return false', ''],
      ],
      [
        'does not notice files that came since',
        ['!old.has(name) && !known.has(join(path, name))', 'old.has(name) && path === ""'],
      ],
      ['counts a changed file as kept', ['existsSync(path) && hashFile(path) === sha256', 'existsSync(path)']],
    ],
  ),
  ...mutantsOf(
    'src/doctor/backup/restore.ts',
    ['test/doctor/doctor.test.ts', 'test/doctor/live.test.ts', 'test/doctor/backup.test.ts'],
    [
      ['restores below a running program', ['  mustNotBeUsed(manifest, systems, force)\n', '']],
      [
        'does not keep what is there now',
        [
          'if (files.every(file => isAsKept(file) || !existsSync(file.path))) return undefined',
          'if (path !== "") return undefined',
        ],
      ],
      [
        'does not remove files that were not there',
        ['      rmSync(path, { force: true })\n    }\n    for (const place', '    }\n    for (const place'],
      ],
      ['does not keep the rights of a file', ['if (mode !== undefined) fchmodSync(handle, mode & 0o777)', '']],
      [
        'does not look whether its copy came out right',
        ['if (hashFile(draft) !== sha256) throw', 'if (path === "") throw'],
      ],
    ],
  ),
]
