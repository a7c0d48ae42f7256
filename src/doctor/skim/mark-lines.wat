;; Finds the lines of a JSONL text, and in them the quotes that delimit strings: those not escaped by a backslash. 64 bytes at a time, by
;; SIMD comparison and bit arithmetic. find-quotes.wat does the same for one page of text, without lines, escapes and control characters.
;; `npm run assemble` writes mark-lines-module.ts from this file.
(module
  (memory (export "memory") 16)

  ;; Searches the bytes from `at` to `end`, which are whole lines. Writes to `quotes` the offset of each quote, in four bytes. Writes to
  ;; `lines`, for each line, the offset of its line break and the address in `quotes` where the quotes of the next line begin. Returns the
  ;; number of lines; -1 if `quotesEnd` or `linesEnd` is reached, at a control character other than a line break, or at an escape that JSON
  ;; does not have.
  (func (export "markLines")
    (param $at i32) (param $end i32) (param $quotes i32) (param $quotesEnd i32) (param $lines i32) (param $linesEnd i32) (result i32)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (local $quoteBits i64) (local $slashes i64) (local $feeds i64) (local $controls i64) (local $inside i64)
    (local $carry i64) (local $follows i64) (local $odd i64) (local $runs i64) (local $escaped i64) (local $hex i64)
    (local $first i32) (local $place i32) (local $bad i64) (local $begin i32)

    (local.set $first (local.get $lines))

    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.or
              (i32.gt_u (i32.add (local.get $quotes) (i32.const 256)) (local.get $quotesEnd))
              (i32.gt_u (i32.add (local.get $lines) (i32.const 512)) (local.get $linesEnd)))
          (then (return (i32.const -1))))

        (local.set $v0 (v128.load offset=0 align=1 (local.get $at)))
        (local.set $v1 (v128.load offset=16 align=1 (local.get $at)))
        (local.set $v2 (v128.load offset=32 align=1 (local.get $at)))
        (local.set $v3 (v128.load offset=48 align=1 (local.get $at)))

        ;; One bit for each of the 64 bytes. Those after the end do not count.
        (local.set $inside
          (if (result i64) (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 64))
            (then (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $end) (local.get $at)))) (i64.const 1)))
            (else (i64.const -1))))
        (local.set $quoteBits (i64.and (local.get $inside)
          (call $bits
            (i8x16.eq (local.get $v0) (i8x16.splat (i32.const 0x22)))
            (i8x16.eq (local.get $v1) (i8x16.splat (i32.const 0x22)))
            (i8x16.eq (local.get $v2) (i8x16.splat (i32.const 0x22)))
            (i8x16.eq (local.get $v3) (i8x16.splat (i32.const 0x22))))))
        (local.set $slashes (i64.and (local.get $inside)
          (call $bits
            (i8x16.eq (local.get $v0) (i8x16.splat (i32.const 0x5c)))
            (i8x16.eq (local.get $v1) (i8x16.splat (i32.const 0x5c)))
            (i8x16.eq (local.get $v2) (i8x16.splat (i32.const 0x5c)))
            (i8x16.eq (local.get $v3) (i8x16.splat (i32.const 0x5c))))))
        (local.set $controls (i64.and (local.get $inside)
          (call $bits
            (i8x16.lt_u (local.get $v0) (i8x16.splat (i32.const 0x20)))
            (i8x16.lt_u (local.get $v1) (i8x16.splat (i32.const 0x20)))
            (i8x16.lt_u (local.get $v2) (i8x16.splat (i32.const 0x20)))
            (i8x16.lt_u (local.get $v3) (i8x16.splat (i32.const 0x20))))))
        (local.set $feeds (i64.const 0))
        (if (i32.eqz (i64.eqz (local.get $controls)))
          (then
            (local.set $feeds (i64.and (local.get $controls)
              (call $bits
                (i8x16.eq (local.get $v0) (i8x16.splat (i32.const 0x0a)))
                (i8x16.eq (local.get $v1) (i8x16.splat (i32.const 0x0a)))
                (i8x16.eq (local.get $v2) (i8x16.splat (i32.const 0x0a)))
                (i8x16.eq (local.get $v3) (i8x16.splat (i32.const 0x0a))))))
            (local.set $bad (i64.or (local.get $bad) (i64.xor (local.get $controls) (local.get $feeds))))))

        ;; Which bytes are escaped: those after an odd number of backslashes. Adding the backslashes that start a run at an odd position
        ;; carries through the run to the byte that follows it.
        (if (i32.eqz (i64.eqz (i64.or (local.get $slashes) (local.get $carry))))
          (then
            (local.set $slashes (i64.and (local.get $slashes) (i64.xor (local.get $carry) (i64.const -1))))
            (local.set $follows (i64.or (i64.shl (local.get $slashes) (i64.const 1)) (local.get $carry)))
            (local.set $odd
              (i64.and
                (i64.and (local.get $slashes) (i64.const 0xaaaaaaaaaaaaaaaa))
                (i64.xor (local.get $follows) (i64.const -1))))
            (local.set $runs (i64.add (local.get $odd) (local.get $slashes)))
            ;; The last run goes on in the next 64 bytes if the addition overflowed.
            (local.set $carry (i64.extend_i32_u (i64.lt_u (local.get $runs) (local.get $odd))))
            (local.set $escaped
              (i64.and
                (i64.xor (i64.const 0x5555555555555555) (i64.shl (local.get $runs) (i64.const 1)))
                (local.get $follows)))
            (local.set $quoteBits (i64.and (local.get $quoteBits) (i64.xor (local.get $escaped) (i64.const -1))))
            (local.set $bad
              (i64.or
                (local.get $bad)
                (i64.and
                  (local.get $escaped)
                  (call $bits
                    (call $noEscape (local.get $v0))
                    (call $noEscape (local.get $v1))
                    (call $noEscape (local.get $v2))
                    (call $noEscape (local.get $v3))))))
            (local.set $hex
              (i64.and
                (local.get $escaped)
                (call $bits
                  (i8x16.eq (local.get $v0) (i8x16.splat (i32.const 0x75)))
                  (i8x16.eq (local.get $v1) (i8x16.splat (i32.const 0x75)))
                  (i8x16.eq (local.get $v2) (i8x16.splat (i32.const 0x75)))
                  (i8x16.eq (local.get $v3) (i8x16.splat (i32.const 0x75))))))
            (loop $more
              (if (i32.eqz (i64.eqz (local.get $hex)))
                (then
                  (local.set $place (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $hex)))))
                  (if (i32.eqz
                        (i32.and
                          (i32.and
                            (call $isHex (i32.load8_u offset=1 (local.get $place)))
                            (call $isHex (i32.load8_u offset=2 (local.get $place))))
                          (i32.and
                            (call $isHex (i32.load8_u offset=3 (local.get $place)))
                            (call $isHex (i32.load8_u offset=4 (local.get $place))))))
                    (then (return (i32.const -1))))
                  (local.set $hex (i64.and (local.get $hex) (i64.sub (local.get $hex) (i64.const 1))))
                  (br $more))))))

        ;; The offset of each quote: reads the lowest set bit, then clears it.
        (local.set $begin (local.get $quotes))
        (local.set $odd (local.get $quoteBits))
        (loop $more
          (if (i32.eqz (i64.eqz (local.get $quoteBits)))
            (then
              (i32.store align=4
                (local.get $quotes)
                (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $quoteBits)))))
              (local.set $quotes (i32.add (local.get $quotes) (i32.const 4)))
              (local.set $quoteBits (i64.and (local.get $quoteBits) (i64.sub (local.get $quoteBits) (i64.const 1))))
              (br $more))))

        ;; The offset of each line break, and how many of these quotes are before it.
        (loop $more
          (if (i32.eqz (i64.eqz (local.get $feeds)))
            (then
              (i32.store align=4
                (local.get $lines)
                (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $feeds)))))
              (i32.store offset=4 align=4
                (local.get $lines)
                (i32.add
                  (local.get $begin)
                  (i32.shl
                    (i32.wrap_i64
                      (i64.popcnt
                        (i64.and
                          (local.get $odd)
                          (i64.sub (i64.and (local.get $feeds) (i64.sub (i64.const 0) (local.get $feeds))) (i64.const 1)))))
                    (i32.const 2))))
              (local.set $lines (i32.add (local.get $lines) (i32.const 8)))
              (local.set $feeds (i64.and (local.get $feeds) (i64.sub (local.get $feeds) (i64.const 1))))
              (br $more))))

        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $next)))

    (if (result i32) (i64.eqz (local.get $bad))
      (then (i32.shr_u (i32.sub (local.get $lines) (local.get $first)) (i32.const 3)))
      (else (i32.const -1))))

  ;; One bit for each of 64 bytes.
  (func $bits (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (local.get $a)))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $b))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $c))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $d))) (i64.const 48)))))

  ;; Which bytes are none of `" \ / b f n r t u`, by nibble lookup: the first table gives, for each low nibble, the high nibbles that are
  ;; allowed with it, as a set of bits. The second table gives the bit of each high nibble: 1 for 0x2, 2 for 0x5, 4 for 0x6, 8 for 0x7.
  (func $noEscape (param $bytes v128) (result v128)
    (i8x16.eq
      (v128.and
        (i8x16.swizzle
          (v128.const i8x16 0 0 13 0 8 8 4 0 0 0 0 0 2 0 4 1)
          (v128.and (local.get $bytes) (i8x16.splat (i32.const 0x0f))))
        (i8x16.swizzle
          (v128.const i8x16 0 0 1 0 0 2 4 8 0 0 0 0 0 0 0 0)
          (i8x16.shr_u (local.get $bytes) (i32.const 4))))
      (v128.const i64x2 0 0)))

  (func $isHex (param $byte i32) (result i32)
    (i32.or
      (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 10))
      (i32.lt_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 6)))))
