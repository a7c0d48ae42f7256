import { digestOfHealing } from './digest.ts'

console.log(digestOfHealing(Number(process.argv[2]), 'down'))
