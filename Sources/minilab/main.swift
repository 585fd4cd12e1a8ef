import CommandLineInterface
import Glibc

exit(MinilabProgram.main())
