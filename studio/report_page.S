// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// The bundled page as data of the library. VINCULUM_REPORT_PAGE is its path.
        .section .rodata
        .balign 8
        .global vinculum_report_page_size
        .global vinculum_report_page
vinculum_report_page_size:
        .8byte end_of_page - vinculum_report_page
vinculum_report_page:
        .incbin VINCULUM_REPORT_PAGE
end_of_page:
        .section .note.GNU-stack, "", %progbits
