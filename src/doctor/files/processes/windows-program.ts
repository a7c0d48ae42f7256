import { join } from 'node:path'

/** A program of Windows by its whole path: of a mere name, Windows would first run a file in the working folder, which may be anyone's. */
export const windowsProgram = (name: string): string => join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', name)
