// The binaries are hardened: position-independent, with read-only relocations bound at start, guarded stacks and checked library
// calls.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'

const programs = ['PARLEYD', 'PARLEYCTL'].map(
  (name) => process.env[name] ?? `../../build/release/bin/${name.toLowerCase()}`,
)

const readelf = (...words) => execFileSync('readelf', [...words], { encoding: 'utf8', maxBuffer: 1 << 28 })

for (const program of programs) {
  test(`${program.split('/').at(-1)} is position-independent, with read-only relocations bound at start`, () => {
    assert.match(readelf('-hW', program), /Type:\s+DYN/)
    assert.match(readelf('-lW', program), /GNU_RELRO/)
    assert.doesNotMatch(readelf('-lW', program), /GNU_STACK.*RWE/)
    assert.match(readelf('-dW', program), /BIND_NOW|Flags:.*NOW/)
  })

  test(`${program.split('/').at(-1)} guards its stacks and checks the library calls it makes`, () => {
    const symbols = readelf('--dyn-syms', '-W', program)
    assert.match(symbols, /__stack_chk_fail/)
    assert.match(symbols, /__(mem|str|v?sn?printf|f?read|recv|poll)\w*_chk/)
    assert.match(symbols, /__glibcxx_assert_fail/)
  })
}
