import { handle } from '../../../handler.ts'

export const GET = handle
export const POST = handle
export const PUT = handle
export const DELETE = handle
