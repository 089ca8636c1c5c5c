# Completions of atrium for PowerShell. Old versions drop empty arguments, so the last word goes with a character in front.
Register-ArgumentCompleter -Native -CommandName atrium -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $program = $commandAst.CommandElements[0].ToString()
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $lines = @(& $program completion powershell '--' @words "=$wordToComplete" 2>$null)
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $about = $_ -split "`t", 2
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
