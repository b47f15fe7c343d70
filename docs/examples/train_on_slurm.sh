#!/bin/sh
# A template for cubicbench search --backend slurm:docs/examples/train_on_slurm.sh (docs/slurm.md).
# Put your partition, account, nodes and GPUs here, as for any other job.
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --mem=500
#CUBICBENCH --poll=15 --pending-limit=86400

# The request is on standard input and the last line of standard output is the answer, so a backend for command:CMD
# serves as it is. A job on several nodes reads the request here and starts its program with srun.
exec docs/examples/time_a_program.sh
