import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'

/** The kind of network file system that a file is on; undefined if it is not on a known one. */
export function remoteKind(file: string): string | undefined {
  const path = realPath(file)
  if (process.platform === 'win32') return path.startsWith('\\\\') ? 'UNC path' : undefined
  return kindAmong(process.platform === 'linux' ? readMounts() : listMounts(), path)
}

/** A mounted file system. */
export interface Mount {
  readonly folder: string
  readonly kind: string
}

export function kindAmong(mounts: readonly Mount[], path: string): string | undefined {
  let found: Mount | undefined
  for (const mount of mounts) {
    const inside = mount.folder === '/' ? '/' : `${mount.folder}/`
    if ((path === mount.folder || path.startsWith(inside)) && mount.folder.length >= (found?.folder.length ?? 0))
      found = mount
  }
  return found && (remote.test(found.kind) || (shared.test(found.kind) && found.folder !== '/'))
    ? found.kind
    : undefined
}

const remote =
  /^(nfs\d?|cifs|smb\d?|smbfs|afpfs|webdav|davfs|ceph|lustre|gpfs|beegfs|afs|drvfs|fuse\.(sshfs|rclone|s3fs|glusterfs|gcsfuse|ceph.*)|macfuse|osxfuse)$/

/** Folders that the host of a virtual machine shares, as Docker Desktop does: programs of the host are not seen. Small virtual machines also have their root on one. */
const shared = /^(virtiofs|vboxsf|prl_fs|vmhgfs|fakeowner|fuse\.(vmhgfs-fuse|grpcfuse|osxfs))$/

/** Of Linux: `id parent device root folder options ... - kind source ...`. A Windows drive under WSL is a 9p of that name. */
export function mountsIn(text: string): Mount[] {
  return text.split('\n').flatMap(line => {
    const [front = '', back] = line.split(' - ')
    const folder = front.split(' ')[4]
    if (folder === undefined || back === undefined) return []
    const [kind = '', source = ''] = back.split(' ')
    return [{ folder: unescaped(folder), kind: kind === '9p' && /^[A-Z]:/i.test(source) ? 'drvfs' : kind }]
  })
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))

function readMounts(): Mount[] {
  try {
    return mountsIn(readFileSync('/proc/self/mountinfo', 'utf8'))
  } catch {
    return []
  }
}

/** Of macOS and BSD: `source on folder (kind, option, ...)`. */
export function mountsListed(text: string): Mount[] {
  return text.split('\n').flatMap(line => {
    const [from, to] = [line.indexOf(' on '), line.lastIndexOf(' (')]
    const kind = /^\w+/.exec(line.slice(to + 2))?.[0]
    return from < 0 || to < from || kind === undefined ? [] : [{ folder: line.slice(from + 4, to), kind }]
  })
}

function listMounts(): Mount[] {
  try {
    return mountsListed(execFileSync('mount', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return []
  }
}

/** A new file will be on the file system of its folder. */
function realPath(file: string): string {
  for (let path = file; ; path = dirname(path)) {
    try {
      return realpathSync(path)
    } catch {
      if (path === dirname(path)) return file
    }
  }
}
