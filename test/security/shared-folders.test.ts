import { expect, test } from 'vitest'
import { kindAmong, mountsIn } from '../../src/doctor/files/remote-kind.ts'

test('[SE564] a folder that the host of a virtual machine shares counts as one of another machine', () => {
  const mounts = (root: string, shared: string) =>
    mountsIn(
      [
        `1 0 8:1 / / rw - ${root} /dev/root rw`,
        `2 1 0:50 /Users/ada/.claude /root/.claude rw,relatime - ${shared} /run/host_mark/Users rw`,
      ].join('\n'),
    )
  for (const kind of ['virtiofs', 'vboxsf', 'prl_fs', 'fakeowner', 'fuse.grpcfuse', 'fuse.osxfs', 'fuse.vmhgfs-fuse'])
    expect(kindAmong(mounts('overlay', kind), '/root/.claude/projects/x.jsonl')).toBe(kind)
  expect(kindAmong(mounts('overlay', 'ext4'), '/root/.claude/projects/x.jsonl')).toBe(undefined)
  expect(kindAmong(mounts('virtiofs', 'ext4'), '/root/.codex/x.jsonl')).toBe(undefined)
})
