# keep_same_bits(TARGET SCOPE): the compiler fuses no multiplication with an addition, so that results have the same bits on every
# machine. PUBLIC where headers compute, so that programs that include them get the numbers of the library.
function(keep_same_bits target scope)
  target_compile_options(${target} BEFORE ${scope} -ffp-contract=off)
endfunction()
